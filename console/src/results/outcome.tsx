// A run that failed or was refused: code, message, and the position in the text with carets below it.

import { failureText } from '#console/client/failure-text.ts';
import { Button } from '#console/components/button.tsx';
import { Icon } from '#console/components/icon.tsx';
import { excerptOf, type Finding, type Findings, replacementsOf } from '#console/components/query-editor/findings.ts';
import { Failed } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './outcome.module.css';
import type { Status } from './query-run.ts';
import { findingsIn } from './refusal.ts';

interface RefusedProps {
  readonly text: string;
  readonly error: unknown;
  onReplace(text: string): void;
  onRetry(): void;
}

/** The service has not begun the query. */
export function Refused({ text, error, onReplace, onRetry }: RefusedProps) {
  const labels = useLabels();
  const findings = findingsIn(error);
  if (!findings) return <Failed error={error} onRetry={onRetry} />;
  return (
    <div className={styles.outcome} role="alert">
      <h2>
        <Icon name="alert" /> {failureText(error, labels).text}
      </h2>
      {findings.mistakes.map((finding) => (
        <FindingText
          key={`${finding.code} ${finding.begin}`}
          text={text}
          finding={finding}
          hints={findings.hints}
          onReplace={onReplace}
        />
      ))}
    </div>
  );
}

interface FindingTextProps {
  readonly text: string;
  readonly finding: Finding;
  readonly hints: Findings['hints'];
  onReplace?(text: string): void;
}

/** An error or a warning with its position, its hints and its quick fixes. */
export function FindingText({ text, finding, hints, onReplace }: FindingTextProps) {
  const { search: labels, queryEditor } = useLabels();
  const { code, message, begin, end, line, column } = finding;
  const own = hints.filter((hint) => hint.of === code && hint.begin <= begin && hint.end >= end);
  const replacements = replacementsOf(finding, own);
  const [excerpt, carets] = excerptOf(text, finding);
  return (
    <section className={styles.finding}>
      <p>
        {message} <span className={styles.detail}>{`${labels.code(code)} · ${labels.position(line, column)}`}</span>
      </p>
      <pre>
        {excerpt}
        {'\n'}
        <span className={styles.carets}>{carets}</span>
      </pre>
      {own.map(({ code: number, message: hint }) => (
        <p key={number}>{hint}</p>
      ))}
      {onReplace && replacements.length > 0 && (
        <p className={styles.fixes}>
          {replacements.map(({ insert, begin: from, end: to }) => (
            <Button key={insert} size="small" onClick={() => onReplace(text.slice(0, from) + insert + text.slice(to))}>
              {queryEditor.replaceWith(insert)}
            </Button>
          ))}
        </p>
      )}
    </section>
  );
}

/** The query has begun and ended with an error. */
export function FailedRun({
  status,
  error,
  onRetry,
}: {
  readonly status: Status | undefined;
  readonly error?: unknown;
  onRetry(): void;
}) {
  const { search: labels, common } = useLabels();
  if (!status?.is_cancelled) return <Failed error={error} onRetry={onRetry} />;
  return (
    <div className={styles.outcome} role="alert">
      <h2>
        <Icon name="alert" /> {labels.failedTitle}
      </h2>
      <p>
        {status.error_detail ?? labels.cancelReason(status.cancel_reason ?? '')}{' '}
        {status.error_code !== undefined && <span className={styles.detail}>{labels.code(status.error_code)}</span>}
      </p>
      <p className={styles.fixes}>
        <Button size="small" icon="refresh" onClick={onRetry}>
          {common.retry}
        </Button>
      </p>
    </div>
  );
}
