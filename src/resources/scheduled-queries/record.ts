// The record of a scheduled query with its computed values: current error and next due time.

import type { LiveQueries } from '#queries/live-queries.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { toRecord } from './model.ts';
import { queryErrorOf } from './query-error.ts';
import type { ScheduledQueryView } from './store.ts';

export interface RecordDeps {
  readonly queries: LiveQueries;
  readonly scheduler: Scheduler;
  readonly zone: string;
}

export async function recordOf(query: ScheduledQueryView, { queries, scheduler, zone }: RecordDeps) {
  const { enabled, cron_schedule } = query;
  const next = enabled === 1 && cron_schedule !== null ? scheduler.next(cron_schedule) : undefined;
  return toRecord(query, { next, queryError: await queryErrorOf(query, queries) }, zone);
}
