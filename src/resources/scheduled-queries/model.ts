// The record of a scheduled query.

import { toStamp } from '#contract/times.ts';
import { arrayOf, boolean, choice, guidText, int64, orNull, record, stamp, string, type TypeOf } from '#http/shapes.ts';
import { NODE_TYPES } from '#scheduler/job-kind.ts';
import { nodeTypesOf } from './job.ts';
import { PRECEDING_ACTIONS, TRIGGER_TYPES } from './params.ts';
import type { ScheduledQueryView } from './store.ts';

export const scheduledQueryRecord = record('ScheduledQuery', {
  guid: guidText,
  name: string,
  description: orNull(string),
  enabled: boolean,
  query: string,
  trigger_type: choice(TRIGGER_TYPES),
  cron_schedule: orNull(string),
  preceding_guid: orNull(guidText),
  preceding_name: orNull(string),
  preceding_action: orNull(choice(PRECEDING_ACTIONS)),
  node_types: orNull(arrayOf(choice(NODE_TYPES))),
  output_parameter: boolean,
  running_state: orNull(choice(['running', 'idle'])),
  result_state: orNull(choice(['succeeded', 'failed', 'cancelled'])),
  elapsed_time: orNull(int64),
  last_run_time: orNull(stamp),
  last_failure_time: orNull(stamp),
  last_failure_reason: orNull(string),
  query_error: orNull(string),
  next_run_time: orNull(stamp),
  owner: string,
  created: stamp,
  updated: stamp,
});

export type ScheduledQueryRecord = TypeOf<typeof scheduledQueryRecord>;

/** Computed values of a record. */
export interface DerivedValues {
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
