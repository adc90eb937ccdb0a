// Whole days of a table are removed: which, and how many records go with them.

import { useState } from 'react';
import { call } from '#console/client/call.ts';
import { DayBars } from '#console/components/charts/day-bars.tsx';
import type { DayFigures } from '#console/components/charts/day-buckets.ts';
import { TextField } from '#console/components/forms/field.tsx';
import { ConfirmDialog } from '#console/components/overlays/confirm.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isDay, removalOf } from './removal.ts';
import { RemovalNote } from './removal-note.tsx';
import styles from './tables.module.css';
import type { TableRecord } from './tables-search.ts';

interface RemoveDaysProps {
  readonly table: TableRecord;
  readonly days: readonly DayFigures[];
  onClose(): void;
  onDone(): void;
}

export function RemoveDays({ table, days, onClose, onDone }: RemoveDaysProps) {
  const { tables: labels, range } = useLabels();
  const oldest = days.map(({ day }) => day).toSorted()[0] ?? '';
  const [start, setStart] = useState(oldest);
  const [end, setEnd] = useState(oldest);
  const isValid = isDay(start) && isDay(end) && start <= end;
  const isRemoved = (day: string) => isValid && day >= start && day <= end;
  const removal = removalOf(days, isRemoved);
  return (
    <ConfirmDialog
      title={labels.removeDays}
      text={labels.removeDaysText}
      confirmLabel={labels.removeDays}
      isBlocked={!isValid || removal.days === 0}
      onClose={onClose}
      onConfirm={async () => {
        await call('DELETE /api/core/tables/:table/partitions', { table: table.table_name, start, end });
        showToast(labels.daysRemoved(removal.days));
        onDone();
      }}
    >
      <div className={styles.tab}>
        <div className={styles.pair}>
          <TextField label={labels.firstDay} type="date" value={start} onChange={setStart} />
          <TextField
            label={labels.lastDayToRemove}
            type="date"
            value={end}
            onChange={setEnd}
            mistake={isValid ? undefined : range.wrongOrder}
          />
        </div>
        <DayBars title={labels.byDay.rows} days={days} measure="rows" isMarked={isRemoved} height={90} />
        <RemovalNote removal={removal} />
      </div>
    </ConfirmDialog>
  );
}
