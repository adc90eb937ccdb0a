// Values with their counts as bars, the largest first: top values of a field, rules by events, tables by size.

import type { ReactNode } from 'react';
import styles from './bar-list.module.css';

export interface BarListItem {
  readonly key: string;
  readonly label: ReactNode;
  readonly value: number;
  /** The value as text. */
  readonly text: string;
  /** Beside the bar: buttons. */
  readonly actions?: ReactNode;
}

interface BarListProps {
  readonly label: string;
  readonly items: readonly BarListItem[];
  /** A custom property of tokens.css. */
  readonly colour?: string;
  /** The value of a full bar; otherwise the largest. */
  readonly whole?: number;
}

export function BarList({ label, items, colour = '--series-1', whole }: BarListProps) {
  const full = whole ?? Math.max(1, ...items.map(({ value }) => value));
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map(({ key, label: name, value, text, actions }) => (
        <li key={key} className={styles.item}>
          <span className={styles.line}>
            <span className={styles.name}>{name}</span>
            <span className={styles.value}>{text}</span>
            {actions}
          </span>
          <span className={styles.track} aria-hidden="true">
            <span style={{ width: `${Math.min(100, (value / full) * 100)}%`, background: `var(${colour})` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
