// A scheduled query, and a slot of it, as they are read.

import { toStamp } from '#contract/times.ts';
import type { JsonSchema } from '#http/params.ts';
import { arrayOf, boolean, guidText, int32, int64, map, object, orNull, stamp, string } from '#http/shapes.ts';
import { maskedConstants } from '#queries/constants.ts';
import { taggedValue } from '#query/dialects/duckdb/tagged-json.ts';
import { NODE_TYPES } from '#scheduler/job-kind.ts';
import { OUTCOMES } from '#scheduler/slot.ts';
import type { SlotRow } from '#store/schedule-schema.ts';
import { nodeTypesOf } from './kind.ts';
import { PRECEDING_ACTIONS, TRIGGER_TYPES } from './params.ts';
import type { ScheduledQueryView } from './store.ts';

const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });

export const scheduledQueryRecord = object({
  guid: guidText,
  name: string,
  description: orNull(string),
  enabled: boolean,
  query: string,
  trigger_type: oneOf(TRIGGER_TYPES),
  cron_schedule: orNull(string),
  preceding_guid: orNull(guidText),
  preceding_name: orNull(string),
  preceding_action: orNull(oneOf(PRECEDING_ACTIONS)),
  node_types: orNull(arrayOf(oneOf(NODE_TYPES))),
  output_parameter: boolean,
  running_state: orNull(oneOf(['running', 'idle'])),
  result_state: orNull(oneOf(['succeeded', 'failed', 'cancelled'])),
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

/** What is worked out for a record beyond its row. */
export interface WorkedOut {
  readonly queryError: string | null;
  /** When its schedule is due next. */
  readonly next: number | undefined;
}

export function toRecord(query: ScheduledQueryView, { queryError, next }: WorkedOut, zone: string) {
  const time = timesIn(zone);
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
    created: time(query.created_at),
    updated: time(query.updated_at),
  };
}

function runningState({ is_running, last_run_at }: ScheduledQueryView): 'running' | 'idle' | null {
  if (is_running) return 'running';
  return last_run_at === null ? null : 'idle';
}

export const slotRecord = object({
  slot_time: stamp,
  outcome: oneOf(OUTCOMES),
  reason: orNull(oneOf(['still-running', 'disabled', 'node-unavailable', 'service-down', 'manual'])),
  run_guid: orNull(guidText),
  query_id: orNull(int32),
  node: orNull(string),
  started: orNull(stamp),
  finished: orNull(stamp),
  state: orNull(oneOf(['running', 'succeeded', 'failed', 'cancelled'])),
  rows: orNull(int64),
  error: orNull(string),
  constants: orNull(map),
});

export function toSlot(slot: SlotRow, zone: string) {
  const time = timesIn(zone);
  const { outcome, reason, run_guid, query_id, node, state, rows, error } = slot;
  return {
    slot_time: time(slot.slot_time),
    outcome,
    reason,
    run_guid,
    query_id,
    node,
    started: time(slot.started_at),
    finished: time(slot.finished_at),
    state,
    rows,
    error,
    constants: shown(slot, zone),
  };
}

function shown({ constants }: SlotRow, zone: string) {
  const values = constants === null ? null : taggedValue(constants);
  return values instanceof Map ? maskedConstants(values, zone) : null;
}

const timesIn = (zone: string) => (at: number | null) =>
  at === null ? null : toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
