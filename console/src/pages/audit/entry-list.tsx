// The list of entries, newest first.

import type { ReactNode } from 'react';
import { StatusBadge } from '#console/components/badge.tsx';
import { type Column, DataTable, TIME_WIDTH } from '#console/components/data-table.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { Time } from '#console/time/time.tsx';
import { outcomeOf } from '#contract/labels/catalogue.ts';
import styles from './audit.module.css';
import type { AuditEntry } from './audit-search.ts';

const TONES = { succeeded: 'good', failed: 'high', partial: 'medium' } as const;

export const ResultBadge = ({ entry }: { readonly entry: AuditEntry }) => (
  <StatusBadge tone={TONES[outcomeOf(entry)]}>{entry.result}</StatusBadge>
);

interface EntryListProps {
  readonly entries: readonly AuditEntry[];
  readonly openKey: string | undefined;
  readonly empty: ReactNode;
  onOpen(entry: AuditEntry): void;
  onEnd(): void;
}

export function EntryList({ entries, ...rest }: EntryListProps) {
  const { audit: labels, common, pages } = useLabels();
  const columns: readonly Column<AuditEntry>[] = [
    { id: 'time', header: common.time, width: TIME_WIDTH, cell: ({ time }) => <Time at={time} /> },
    { id: 'user', header: labels.user, width: 'minmax(6rem, 9rem)', cell: ({ user_name }) => user_name },
    {
      id: 'action',
      header: labels.action,
      width: 'minmax(9rem, 13rem)',
      cell: ({ action, module, method }) => action ?? <code>{`${module}.${method}`}</code>,
    },
    { id: 'result', header: labels.result, width: '8rem', cell: (entry) => <ResultBadge entry={entry} /> },
    {
      id: 'message',
      header: labels.message,
      width: 'minmax(16rem, 1fr)',
      cell: ({ msg, error }) => <span className={styles.message}>{msg ?? error}</span>,
    },
    { id: 'address', header: labels.address, width: 'minmax(8rem, 10rem)', cell: ({ remote_ip }) => remote_ip },
  ];
  return <DataTable label={pages.audit} rows={entries} rowKey={({ id }) => String(id)} columns={columns} {...rest} />;
}
