// The record of a scheduled query.

import { toStamp } from '#contract/times.ts';
import { NODE_TYPES } from '#contract/values.ts';
import {
  arrayOf,
  boolean,
  choice,
  guidText,
  int64,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import { nodeTypesOf } from './job.ts';
import { PRECEDING_ACTIONS, TRIGGER_TYPES } from './params.ts';
import type { ScheduledQueryView } from './store.ts';

export const scheduledQueryRecord = record('ScheduledQuery', {
  guid: guidText('GUID of the scheduled query.'),
  name: string('Name of the scheduled query, unique among scheduled queries.', 'daily report'),
  description: orNull(string)(
    'Description of the scheduled query, for people; null where there is none.',
    'Requests by status',
  ),
  enabled: boolean('Whether the schedule is in force.'),
  query: string('Text of the query.', 'table duration=1h web | stats count by status'),
  trigger_type: choice(TRIGGER_TYPES)('Kind of trigger: a cron schedule, or the end of another scheduled query.'),
  cron_schedule: orNull(string)('Schedule; null with trigger `workflow`.', '0 * * * *'),
  preceding_guid: orNull(guidText)('GUID of the scheduled query that this one follows; null with trigger `cron`.'),
  preceding_name: orNull(string)(
    'Name of that scheduled query; null with trigger `cron` and where it has been removed.',
    'hourly import',
  ),
  preceding_action: orNull(choice(PRECEDING_ACTIONS))(
    'Result of the preceding run that starts this one; null with trigger `cron`.',
  ),
  node_types: orNull(arrayOf(choice(NODE_TYPES)))('Kinds of nodes that may run the query; null where any may.'),
  output_parameter: boolean('Whether the last row of the result becomes parameters of the following query.'),
  running_state: orNull(choice(['running', 'idle']))('Whether a run is in progress; null before the first run.'),
  result_state: orNull(choice(['succeeded', 'failed', 'cancelled']))(
    'Result of the last run that ended; null before it.',
  ),
  elapsed_time: orNull(int64)('Milliseconds of the last run; null before it.', 1200),
  last_run_time: orNull(stamp)('Time of the last run; null before it.'),
  last_failure_time: orNull(stamp)('Time of the last failed run; null where none has failed.'),
  last_failure_reason: orNull(string)(
    'Reason of the last failure; null where none has failed.',
    'there is no table web',
  ),
  query_error: orNull(string)(
    'Reason why the query cannot run now, with its place in the text; null where it can.',
    '(10001) there is no table web at 1:7',
  ),
  next_run_time: orNull(stamp)('Time of the next slot; null where the query is disabled or has trigger `workflow`.'),
  owner: string('Login name of the account that created the query.', 'kim'),
  created: stamp('Time when the scheduled query was created.'),
  updated: stamp('Time of the last change of the scheduled query.'),
});

export type ScheduledQueryRecord = TypeOf<typeof scheduledQueryRecord>;

/** Computed values of a record. */
interface DerivedValues {
  readonly queryError: string | null;
  /** Next due time. */
  readonly next: number | undefined;
}

export function toRecord(
  query: ScheduledQueryView,
  { queryError, next }: DerivedValues,
  zone: string,
): ScheduledQueryRecord {
  const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  const time = (at: number | null) => (at === null ? null : stampOf(at));
  return {
    guid: query.guid,
    name: query.name,
    description: query.description,
    enabled: query.enabled === 1,
    query: query.query,
    trigger_type: query.trigger_type,
    cron_schedule: query.cron_schedule,
    preceding_guid: query.preceding_guid,
    preceding_name: query.preceding_name,
    preceding_action: query.preceding_action,
    node_types: nodeTypesOf(query) ?? null,
    output_parameter: query.output_parameter === 1,
    running_state: runningState(query),
    result_state: query.result_state,
    elapsed_time: query.elapsed,
    last_run_time: time(query.last_run_at),
    last_failure_time: time(query.last_failure_at),
    last_failure_reason: query.last_failure_reason,
    query_error: queryError,
    next_run_time: time(next ?? null),
    owner: query.owner_login,
    created: stampOf(query.created_at),
    updated: stampOf(query.updated_at),
  };
}

function runningState({ is_running, last_run_at }: ScheduledQueryView): 'running' | 'idle' | null {
  if (is_running) return 'running';
  return last_run_at === null ? null : 'idle';
}
