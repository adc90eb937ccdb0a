// The retention of a table, with the days that it would remove before it is set.

import { call } from '#console/client/call.ts';
import { DayBars } from '#console/components/charts/day-bars.tsx';
import type { DayFigures } from '#console/components/charts/day-buckets.ts';
import { FormDialog } from '#console/components/forms/form.tsx';
import { showToast } from '#console/components/overlays/toast.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { firstKeptDay, removalOf, serviceDay } from './removal.ts';
import { RemovalNote } from './removal-note.tsx';
import type { TableRecord } from './tables-search.ts';

interface SetRetentionProps {
  readonly table: TableRecord;
  readonly days: readonly DayFigures[];
  onClose(): void;
  onDone(): void;
}

interface Draft {
  readonly period: number | undefined;
}

const MAX_DAYS = 36_500;

export function SetRetention({ table, days, onClose, onDone }: SetRetentionProps) {
  const { tables: labels } = useLabels();
  const today = serviceDay(table.max_day);
  return (
    <FormDialog<Draft>
      title={labels.setRetention}
      description={labels.retentionText}
      fields={[
        {
          kind: 'number',
          name: 'period',
          label: labels.retentionDays,
          hint: labels.retentionHint,
          min: 0,
          max: MAX_DAYS,
          isRequired: true,
        },
      ]}
      initial={{ period: table.retention }}
      onClose={onClose}
      onSubmit={async ({ period = 0 }) => {
        await call('PUT /api/core/tables/:table/retention', { table: table.table_name, period });
        showToast(labels.retentionSet);
        onDone();
      }}
    >
      {({ period = 0 }) => {
        const kept = firstKeptDay(Math.min(period, MAX_DAYS), today);
        const isRemoved = (day: string) => kept !== undefined && day < kept;
        return (
          <>
            <DayBars title={labels.byDay.rows} days={days} measure="rows" isMarked={isRemoved} height={90} />
            <RemovalNote removal={removalOf(days, isRemoved)} kept={kept} />
          </>
        );
      }}
    </FormDialog>
  );
}
