// The list of schedules with state, trigger and next run.

import type { ReactNode } from 'react';
import { StatusBadge } from '#console/components/badge.tsx';
import { type Column, DataTable, type RowSelection, TIME_WIDTH } from '#console/components/data-table.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { parseStamp } from '#console/time/moments.ts';
import { Time } from '#console/time/time.tsx';
import { type Schedule, STATE_TONES, stateOf } from './schedules-search.ts';

interface ScheduleListProps {
  readonly schedules: readonly Schedule[];
  readonly selection: RowSelection;
  readonly openKey: string | undefined;
  onOpen(schedule: Schedule): void;
  readonly empty: ReactNode;
}

export function ScheduleList({ schedules, openKey, ...rest }: ScheduleListProps) {
  const { schedules: labels, pages, common } = useLabels();
  const all: readonly Column<Schedule>[] = [
    {
      id: 'name',
      header: common.name,
      width: 'minmax(12rem, 1fr)',
      cell: ({ name, description }) => <span title={description ?? name}>{name}</span>,
      sortValue: ({ name }) => name,
    },
    {
      id: 'state',
      header: common.status,
      width: '7.5rem',
      cell: (schedule) => <ScheduleStateBadge schedule={schedule} />,
      sortValue: stateOf,
    },
    {
      id: 'trigger',
      header: labels.trigger,
      width: 'minmax(9rem, 16rem)',
      cell: (schedule) => <Trigger schedule={schedule} />,
    },
    {
      id: 'next',
      header: labels.nextRun,
      width: TIME_WIDTH,
      cell: ({ next_run_time }) => (next_run_time === null ? '–' : <Time at={next_run_time} />),
      sortValue: ({ next_run_time }) => (next_run_time === null ? undefined : parseStamp(next_run_time)),
    },
    {
      id: 'last',
      header: labels.lastRun,
      width: '8rem',
      cell: ({ last_run_time }) => (last_run_time === null ? labels.never : <Time at={last_run_time} isRelative />),
      sortValue: ({ last_run_time }) => (last_run_time === null ? undefined : parseStamp(last_run_time)),
    },
  ];
  // Beside an open schedule there is room for name, state and next run.
  const columns = openKey === undefined ? all : all.filter(({ id }) => ['name', 'state', 'next'].includes(id));
  return (
    <DataTable
      label={pages.schedules}
      openKey={openKey}
      rows={schedules}
      rowKey={({ guid }) => guid}
      columns={columns}
      initialSorting={{ column: 'name', direction: 'ascending' }}
      {...rest}
    />
  );
}

export function ScheduleStateBadge({ schedule }: { readonly schedule: Schedule }) {
  const { schedules: labels } = useLabels();
  const state = stateOf(schedule);
  return <StatusBadge tone={STATE_TONES[state]}>{labels.states[state]}</StatusBadge>;
}

export function Trigger({ schedule }: { readonly schedule: Schedule }) {
  const { schedules: labels } = useLabels();
  const { cron_schedule, preceding_name, preceding_action } = schedule;
  if (preceding_action === null) return <code>{cron_schedule}</code>;
  const text = labels.after(preceding_name ?? labels.afterGone, labels.actions[preceding_action]);
  return <span title={text}>{text}</span>;
}
