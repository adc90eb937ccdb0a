// The tables of schedules as Kysely sees them.

import type { Generated, Selectable } from 'kysely';
import type { Dated } from './schema.ts';

export interface ScheduledQueryRow extends Dated {
  guid: string;
  name: string;
  description: string | null;
  enabled: number;
  query: string;
  trigger_type: 'cron' | 'workflow';
  cron_schedule: string | null;
  preceding_guid: string | null;
  preceding_action: 'finished' | 'succeeded' | 'failed' | null;
  /** JSON array; null for any node type. */
  node_types: string | null;
  output_parameter: number;
  owner_guid: string;
  owner_login: string;
  owner_company: string;
  /** Start of the present schedule. */
  scheduled_since: number;
}

export interface SlotTable {
  id: Generated<number>;
  kind: string;
  guid: string;
  /** Unique per job: the due time, the manual call, or the run that this one follows. */
  slot_key: string;
  slot_time: number;
  /** The present time as the run sees it. */
  clock_time: number;
  origin: 'schedule' | 'manual' | 'workflow';
  outcome: 'ran' | 'skipped' | 'missed' | 'backfilled';
  reason: 'still-running' | 'disabled' | 'node-unavailable' | 'service-down' | 'manual' | 'covered' | null;
  /** 1 while it waits for its backfill, 2 while it waits in line; see scheduler/line.ts. */
  is_queued: number;
  run_guid: string | null;
  query_id: number | null;
  node: string | null;
  /** Lease of the process that runs the slot or is about to. */
  lease: string | null;
  started_at: number | null;
  finished_at: number | null;
  /** A slot is `running` from before its run begins. */
  state: 'running' | 'succeeded' | 'failed' | 'cancelled' | null;
  rows: number | null;
  error: string | null;
  /** Tagged JSON. */
  constants: string | null;
  /** 1 when a stop was requested, 2 when the rows are to be dropped as well. */
  stop_asked: number;
  /** Bounds of the analysed time, for jobs that analyse windows; null before the run begins. */
  window_from: number | null;
  window_to: number | null;
  /** Id of the slot whose run covers the window of this one. */
  covered_by: number | null;
  /** How often a process has died during its run. */
  interruptions: number;
}

export type SlotRow = Selectable<SlotTable>;

/** Results of the newest runs of a job; changes in the same units as its slots. */
export interface ScheduleStateRow {
  kind: string;
  guid: string;
  last_run_at: number | null;
  elapsed: number | null;
  result_state: 'succeeded' | 'failed' | 'cancelled' | null;
  last_success_at: number | null;
  last_failure_at: number | null;
  last_failure_reason: string | null;
}

/** A rule, schedule, logger or table that is failing. */
export interface FailingRow {
  /** Silence of a logger is a failure beside its other failures. */
  kind: 'batch-rule' | 'stream-rule' | 'scheduled-query' | 'logger' | 'silent-logger' | 'silent-table';
  guid: string;
  name: string;
  /** Reason of the first failure. */
  reason: string;
  since: number;
  /** 1 once an alarm was raised. */
  is_told: number;
}
