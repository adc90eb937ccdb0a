// What stands in place of content: loading, empty, failed.

import type { ReactNode } from 'react';
import { failureText } from '#console/client/failure-text.ts';
import { useLabels } from '#console/labels/labels.tsx';
import { Aged, type DatedAnswer } from './aged.tsx';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './states.module.css';

/** Grey lines in the place of content that is on its way. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  const labels = useLabels();
  return (
    <div className={styles.loading} role="status">
      <span className="visually-hidden">{labels.common.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Lines are alike and keep their places.
        <span key={line} className={styles.line} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  /** What can be done about it. */
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}

export const EmptyState = ({ icon = 'search', title, text, children }: EmptyStateProps) => (
  <div className={styles.state}>
    <span className={styles.icon}>
      <Icon name={icon} size={24} />
    </span>
    <h2>{title}</h2>
    {text !== undefined && <p>{text}</p>}
    {children}
  </div>
);

export function Failed({ error, onRetry }: { readonly error: unknown; onRetry?(): void }) {
  const labels = useLabels();
  const { text, detail } = failureText(error, labels);
  return (
    <div className={`${styles.state} ${styles.failed}`} role="alert">
      <span className={styles.icon}>
        <Icon name="alert" size={24} />
      </span>
      <h2>{labels.failures.title}</h2>
      <p>{text}</p>
      {detail !== undefined && <code>{detail}</code>}
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          {labels.common.retry}
        </Button>
      )}
    </div>
  );
}

export interface AnswerLike<T> extends DatedAnswer {
  readonly data: T | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

/** An answer in one of its three states. A failed repetition leaves the older answer on the page, with its age. */
export function Answered<T>({
  answer,
  lines,
  children,
}: {
  readonly answer: AnswerLike<T>;
  readonly lines?: number;
  children(data: T): ReactNode;
}) {
  if (answer.data !== undefined) return <Aged answers={[answer]}>{children(answer.data)}</Aged>;
  if (answer.error) return <Failed error={answer.error} onRetry={() => void answer.refetch()} />;
  return <Loading {...(lines === undefined ? {} : { lines })} />;
}
