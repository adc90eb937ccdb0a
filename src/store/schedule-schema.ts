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
  /** JSON array, or null for any. */
  node_types: string | null;
  output_parameter: number;
  owner_guid: string;
  owner_login: string;
  owner_company: string;
  /** From when on its present schedule counts. */
  scheduled_since: number;
}

export interface SlotTable {
  id: Generated<number>;
  kind: string;
  guid: string;
  /** No job has two slots of one key: the due time, the call by hand, or the run that it follows. */
  slot_key: string;
  slot_time: number;
  /** The present that its run sees. */
  clock_time: number;
  origin: 'schedule' | 'manual' | 'workflow';
  outcome: 'ran' | 'skipped' | 'missed' | 'backfilled';
  reason: 'still-running' | 'disabled' | 'node-unavailable' | 'service-down' | 'manual' | null;
  /** 1 while it waits to be backfilled. */
  is_queued: number;
  run_guid: string | null;
  query_id: number | null;
  node: string | null;
  /** Of the process that runs it, or is about to. */
  lease: string | null;
  started_at: number | null;
  finished_at: number | null;
  /** A slot that is to run is `running` before its run has begun, too. */
  state: 'running' | 'succeeded' | 'failed' | 'cancelled' | null;
  rows: number | null;
  error: string | null;
  /** Tagged JSON. */
  constants: string | null;
  /** 1 when somebody asked for the end of its run, 2 when its rows are to be dropped, too. */
  stop_asked: number;
}

export type SlotRow = Selectable<SlotTable>;

/** What the newest runs of a job have come to; changes with its slots, in the same units. */
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

/** A rule, schedule or logger that fails at present. */
export interface FailingRow {
  kind: 'batch-rule' | 'stream-rule' | 'scheduled-query' | 'logger';
  guid: string;
  name: string;
  /** Of the first failure. */
  reason: string;
  since: number;
  /** 1 once an alarm was raised for it. */
  is_told: number;
}
