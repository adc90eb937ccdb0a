// A history: what was done, by whom and when, one entry below the other in the order given.

import type { ReactNode } from 'react';
import { Time } from '#console/time/time.tsx';
import styles from './history-list.module.css';

export interface HistoryEntry {
  readonly key: string;
  /** What was done. */
  readonly title: ReactNode;
  /** A name; absent where the service did it by itself. */
  readonly who?: string | undefined;
  /** A stamp of the service, or epoch milliseconds. */
  readonly at: string | number;
  /** Beside the title: why this entry stands out. */
  readonly mark?: string | undefined;
  /** Below: a comment, a reason, buttons. */
  readonly note?: ReactNode;
  /** The entry that the reader looks at or works with. */
  readonly isCurrent?: boolean;
}

export const HistoryList = ({
  label,
  entries,
}: {
  readonly label: string;
  readonly entries: readonly HistoryEntry[];
}) => (
  <ol className={styles.history} aria-label={label}>
    {entries.map(({ key, title, who, at, mark, note, isCurrent = false }) => (
      <li key={key} className={styles.entry} {...(isCurrent ? { 'aria-current': true } : {})}>
        <span className={styles.title}>
          <strong>{title}</strong>
          {mark !== undefined && <span className={styles.mark}>{mark}</span>}
        </span>
        <span className={styles.done}>
          {who !== undefined && <>{who} · </>}
          <Time at={at} />
        </span>
        {note !== undefined && note !== null && <div className={styles.note}>{note}</div>}
      </li>
    ))}
  </ol>
);
