// One record beside the list that it was opened from, with labelled values; over the page where the window is narrow.

import type { ReactNode } from 'react';
import { useLabels } from '#console/labels/labels.tsx';
import { IconButton } from './button.tsx';
import { Panel } from './page-frame.tsx';
import styles from './record-panel.module.css';

interface RecordColumnsProps {
  /** The record takes the larger part, where it is more than labelled values. */
  readonly isWide?: boolean;
  readonly list: ReactNode;
  /** Empty while no record is open. */
  readonly record: ReactNode;
}

/** The list, and the open record at its side. */
export const RecordColumns = ({ isWide = false, list, record }: RecordColumnsProps) => (
  <div className={isEmpty(record) ? styles.columns : `${styles.columns} ${isWide ? styles.wide : styles.split}`}>
    <Panel isFlush className={styles.list}>
      {list}
    </Panel>
    {record}
  </div>
);

const isEmpty = (node: ReactNode): boolean => node === undefined || node === null || node === false;

interface RecordPanelProps {
  /** The kind of the record. */
  readonly title: string;
  /** Its name. */
  readonly headline?: ReactNode;
  /** Buttons below the headline. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  onClose(): void;
}

export function RecordPanel({ title, headline, actions, children, onClose }: RecordPanelProps) {
  const { common } = useLabels();
  return (
    <Panel
      title={title}
      className={styles.record}
      controls={<IconButton size="small" icon="close" label={common.close} onClick={onClose} />}
    >
      <div className={styles.content}>
        {headline !== undefined && <p className={styles.headline}>{headline}</p>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        {children}
      </div>
    </Panel>
  );
}

export const Facts = ({ children }: { readonly children: ReactNode }) => <dl className={styles.facts}>{children}</dl>;

/** A labelled value. */
export const Fact = ({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
