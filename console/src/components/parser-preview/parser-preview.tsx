// The records that a parser makes of lines, as they would be stored.

import { useEffect, useState } from 'react';
import type { RequestFor } from '#client/call.ts';
import { useAnswer } from '#console/client/answers.ts';
import { failureText } from '#console/client/failure-text.ts';
import { Loading } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import styles from './parser-preview.module.css';

/** A parser that is there, or the kind and configuration of one that is being written. */
export type PreviewedParser = Omit<RequestFor<'POST /api/core/parsers/preview'>, 'lines'>;

interface ParserPreviewProps {
  readonly lines: readonly string[];
  readonly parser: PreviewedParser;
}

const TYPING_MS = 300;

export function ParserPreview({ lines, parser }: ParserPreviewProps) {
  const labels = useLabels();
  const { sources } = labels;
  const request = useSettled({ lines, ...parser });
  const { data, error } = useAnswer('POST /api/core/parsers/preview', request, { keepsPrevious: true });
  const reasons: Readonly<Record<string, string>> = sources.reasons;
  if (error) {
    const { text, detail } = failureText(error, labels);
    return (
      <p className={styles.failure} role="alert">
        {text} {detail}
      </p>
    );
  }
  if (!data) return <Loading lines={2} />;
  return (
    <section aria-label={sources.preview} className={styles.preview}>
      <h3>{sources.preview}</h3>
      <ol className={styles.results}>
        {data.results.map(({ line, record, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Lines may be equal; their places are what they are.
          <li key={index}>
            <code className={styles.source}>{line}</code>
            {record === null ? (
              <span className={styles.failure}>
                {reason === null ? sources.blankLine : (reasons[reason] ?? reason)}
              </span>
            ) : (
              <RecordFields record={record} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

export const RecordFields = ({ record }: { readonly record: Readonly<Record<string, unknown>> }) => (
  <dl className={styles.fields}>
    {Object.entries(record).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
      </div>
    ))}
  </dl>
);

/** A request is sent once the typing pauses. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: The text tells whether the value is another.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
