// The list of tables. Rows of a table are asked for when its line comes into view: the list itself does not count them.

import type { ReactNode } from 'react';
import { StatusBadge } from '#console/components/badge.tsx';
import { type Column, DataTable } from '#console/components/data-table.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { byteText, shortNumber } from '#console/time/numbers.ts';
import styles from './tables.module.css';
import type { TableSummary } from './tables-search.ts';
import { sumOf, useDays } from './use-days.ts';

interface TableListProps {
  readonly tables: readonly TableSummary[];
  readonly openKey: string | undefined;
  onOpen(name: string): void;
  readonly empty: ReactNode;
}

export function TableList({ tables, openKey, onOpen, empty }: TableListProps) {
  const { pages } = useLabels();
  const columns = [...useSizeColumns(), ...useDayColumns()];
  return (
    <DataTable
      label={pages.tables}
      rows={tables}
      rowKey={({ table_name }) => table_name}
      columns={columns}
      openKey={openKey}
      onOpen={({ table_name }) => onOpen(table_name)}
      empty={empty}
    />
  );
}

function useSizeColumns(): readonly Column<TableSummary>[] {
  const { tables: labels, common } = useLabels();
  return [
    {
      id: 'name',
      header: common.name,
      width: 'minmax(10rem, 1fr)',
      sortValue: ({ table_name }) => table_name,
      cell: ({ table_name, encrypted }) => (
        <span className={styles.name}>
          {table_name}
          {encrypted && <StatusBadge tone="accent">{labels.encrypted}</StatusBadge>}
        </span>
      ),
    },
    {
      id: 'rows',
      header: labels.rows,
      width: '6rem',
      align: 'end',
      cell: ({ table_name }) => <RowCount table={table_name} />,
    },
    {
      id: 'size',
      header: labels.size,
      width: '6.5rem',
      align: 'end',
      sortValue: bytesOf,
      cell: (table) => byteText(bytesOf(table)),
    },
    {
      id: 'share',
      header: labels.share,
      width: '8rem',
      sortValue: ({ ratio }) => ratio,
      cell: ({ ratio }) => <Share ratio={ratio} />,
    },
  ];
}

function useDayColumns(): readonly Column<TableSummary>[] {
  const { tables: labels } = useLabels();
  return [
    {
      id: 'retention',
      header: labels.retention,
      width: '7rem',
      sortValue: ({ retention }) => (retention === 0 ? Number.MAX_SAFE_INTEGER : retention),
      cell: ({ retention }) => (retention === 0 ? labels.unlimited : labels.days(retention)),
    },
    {
      id: 'last',
      header: labels.lastDay,
      width: '7.5rem',
      sortValue: ({ max_day }) => max_day,
      cell: ({ max_day }) => max_day?.slice(0, 10) ?? '–',
    },
    {
      id: 'group',
      header: labels.group,
      width: 'minmax(7rem, 12rem)',
      sortValue: ({ group_name }) => group_name,
      cell: ({ group_name }) => group_name ?? '–',
    },
  ];
}

const bytesOf = ({ table_size, index_size }: TableSummary): number => table_size + index_size;

function RowCount({ table }: { readonly table: string }) {
  const { locale } = useLanguage();
  const { data } = useDays(table);
  return data === undefined ? '…' : shortNumber(sumOf(data.days, 'rows'), locale);
}

function Share({ ratio }: { readonly ratio: number }) {
  const { locale } = useLanguage();
  return (
    <span className={styles.share}>
      <span className={styles.track} aria-hidden="true">
        <span style={{ width: `${ratio * 100}%` }} />
      </span>
      {ratio.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 })}
    </span>
  );
}
