// What changes of batch rules mean to the scheduler.

import type { RuleKind } from '#detection/kinds.ts';
import type { Call } from '#http/endpoint.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';

export interface ScheduleNeeds extends Call {
  readonly scheduler: Scheduler;
  readonly batchRules: JobKind;
}

/**
 * To be called in the unit that changes rules, before it does: what has fallen due by their schedules so far is written
 * down, and once the change is durable they are due by what they are then.
 */
export async function reschedule(kind: RuleKind, guids: readonly string[], needs: ScheduleNeeds): Promise<void> {
  if (kind !== 'batch') return;
  const { db, scheduler, batchRules, afterCommit } = needs;
  for (const guid of guids) {
    const owed = await scheduler.claimOwed(db, batchRules, guid);
    afterCommit(async () => scheduler.take(owed));
  }
  afterCommit(() => scheduler.changed(batchRules, guids));
}
