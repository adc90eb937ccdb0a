// Rows and bytes by day, what is known of the table as a whole, and the two ways in which days go: retention and removal.

import { useState } from 'react';
import { useAccount } from '#console/client/session.ts';
import { Button } from '#console/components/button.tsx';
import { DayBars } from '#console/components/charts/day-bars.tsx';
import type { DayFigures } from '#console/components/charts/day-buckets.ts';
import { type Column, DataTable } from '#console/components/data-table.tsx';
import { Answered, EmptyState } from '#console/components/states.tsx';
import { useLabels, useLanguage } from '#console/labels/labels.tsx';
import { byteText, numberText } from '#console/time/numbers.ts';
import { isAtLeast } from '#contract/values.ts';
import { RemoveDays } from './remove-days.tsx';
import { SetRetention } from './set-retention.tsx';
import { TableFacts } from './table-facts.tsx';
import styles from './tables.module.css';
import { MEASURES, type Measure, type TableRecord } from './tables-search.ts';
import { figuresOf, useDays } from './use-days.ts';
import { useTableRefresh } from './use-table-refresh.ts';

interface DaysTabProps {
  readonly table: TableRecord;
  readonly measure: Measure;
  onMeasure(measure: Measure): void;
}

export function DaysTab({ table, measure, onMeasure }: DaysTabProps) {
  const { tables: labels } = useLabels();
  const answer = useDays(table.table_name);
  return (
    <div className={styles.tab}>
      <Answered answer={answer}>
        {(data) => {
          const days = figuresOf(data.days);
          if (days.length === 0)
            return <EmptyState icon="tables" title={labels.noRecords} text={labels.noRecordsText} />;
          return (
            <>
              <div className={styles.measures}>
                {MEASURES.map((value) => (
                  <Button key={value} size="small" aria-pressed={value === measure} onClick={() => onMeasure(value)}>
                    {labels.byDay[value]}
                  </Button>
                ))}
              </div>
              <DayBars title={labels.byDay[measure]} days={days} measure={measure} />
              <DayActions table={table} days={days} />
              <DayList days={days} />
            </>
          );
        }}
      </Answered>
      <TableFacts table={table} />
    </div>
  );
}

interface DayActionsProps {
  readonly table: TableRecord;
  readonly days: readonly DayFigures[];
}

function DayActions({ table, days }: DayActionsProps) {
  const { tables: labels } = useLabels();
  const { role_name } = useAccount();
  const refresh = useTableRefresh();
  const [asked, setAsked] = useState<'retention' | 'remove'>();
  if (!isAtLeast(role_name, 'ADMIN')) return undefined;
  const props = {
    table,
    days,
    onClose: () => setAsked(undefined),
    onDone() {
      setAsked(undefined);
      refresh();
    },
  };
  return (
    <div className={styles.buttons}>
      <Button size="small" icon="clock" onClick={() => setAsked('retention')}>
        {labels.setRetention}
      </Button>
      <Button size="small" icon="trash" onClick={() => setAsked('remove')}>
        {labels.removeDays}
      </Button>
      {asked === 'retention' && <SetRetention {...props} />}
      {asked === 'remove' && <RemoveDays {...props} />}
    </div>
  );
}

function DayList({ days }: { readonly days: readonly DayFigures[] }) {
  const { tables: labels } = useLabels();
  const { locale } = useLanguage();
  const columns: readonly Column<DayFigures>[] = [
    { id: 'day', header: labels.day, width: 'minmax(7rem, 1fr)', sortValue: ({ day }) => day, cell: ({ day }) => day },
    {
      id: 'rows',
      header: labels.rows,
      width: '8rem',
      align: 'end',
      sortValue: ({ rows }) => rows,
      cell: ({ rows }) => numberText(rows, locale),
    },
    {
      id: 'bytes',
      header: labels.size,
      width: '7rem',
      align: 'end',
      sortValue: ({ bytes }) => bytes,
      cell: ({ bytes }) => byteText(bytes),
    },
  ];
  return (
    <DataTable label={labels.tabs.days} rows={days} rowKey={({ day }) => day} columns={columns} maxHeight="16rem" />
  );
}
