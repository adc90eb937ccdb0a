// The fields of a scheduled query as lines of output.

import type { Field } from '#cli/kit/output/records.ts';
import type { Translator } from '#cli/kit/translator.ts';
import type { ScheduledQuery } from './schedule.ts';

export const listedFields = (translator: Translator): readonly Field<ScheduledQuery>[] => [
  { title: 'field-name', text: ({ name }) => name },
  { title: 'field-enabled', text: ({ enabled }) => translator.text(enabled ? 'yes' : 'no') },
  { title: 'field-cron', text: (schedule) => triggerText(schedule, translator) },
  { title: 'field-running-state', text: ({ running_state }) => running_state ?? '-' },
  {
    title: 'field-state',
    text: ({ result_state }) => result_state ?? '-',
    isBad: ({ result_state }) => result_state === 'failed',
  },
  { title: 'field-last-run', isTime: true, text: ({ last_run_time }) => last_run_time ?? translator.text('never') },
  { title: 'field-next-run', isTime: true, text: ({ next_run_time }) => next_run_time ?? '-' },
  { title: 'field-guid', text: ({ guid }) => guid },
];

/** Absent fields are left out. */
export const allFields = (translator: Translator): readonly Field<ScheduledQuery>[] => [
  ...listedFields(translator),
  { title: 'field-description', text: ({ description }) => description ?? undefined },
  { title: 'field-query', text: ({ query }) => query },
  { title: 'field-query-error', text: ({ query_error }) => query_error ?? undefined, isBad: () => true },
  { title: 'field-elapsed', text: ({ elapsed_time }) => lengthText(elapsed_time) },
  { title: 'field-last-failure', isTime: true, text: ({ last_failure_time }) => last_failure_time ?? undefined },
  { title: 'field-last-failure-reason', text: ({ last_failure_reason }) => last_failure_reason ?? undefined },
  { title: 'field-node-types', text: ({ node_types }) => node_types?.join(', ') },
  { title: 'field-output-parameter', text: ({ output_parameter }) => translator.text(output_parameter ? 'yes' : 'no') },
  { title: 'field-owner', text: ({ owner }) => owner },
  { title: 'field-created', isTime: true, text: ({ created }) => created },
  { title: 'field-updated', isTime: true, text: ({ updated }) => updated },
];

export const precedingText = ({ preceding_name, preceding_guid }: ScheduledQuery): string =>
  preceding_name ?? preceding_guid ?? '-';

function triggerText(schedule: ScheduledQuery, { text }: Translator): string {
  const { cron_schedule, preceding_action } = schedule;
  if (cron_schedule !== null) return cron_schedule;
  return text('schedule-after', { name: precedingText(schedule), action: preceding_action ?? '-' });
}

/** Milliseconds as people read them. */
export function lengthText(milliseconds: number | null): string | undefined {
  if (milliseconds === null) return undefined;
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const clock = [minutes, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return hours > 0 ? `${hours}:${clock}` : clock;
}
