// What changes of rules mean to those who act by them: the scheduler, and what looks at arriving logs.

import type { RuleKind } from '#detection/rule-kinds.ts';
import type { StreamRules } from '#detection/stream/stream-rules.ts';
import type { Call } from '#http/endpoint.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';

export interface ScheduleDeps extends Call {
  readonly scheduler: Scheduler;
  readonly batchRules: JobKind;
  readonly streamRules: StreamRules;
}

/**
 * To be called in the unit that changes rules, before it does: what has fallen due by their schedules so far is written
 * down, and once the change is durable they are due, and judge the next log, by what they are then.
 */
export async function reschedule(kind: RuleKind, guids: readonly string[], needs: ScheduleDeps): Promise<void> {
  const { db, scheduler, batchRules, streamRules, afterCommit } = needs;
  if (kind === 'stream') return afterCommit(() => streamRules.changed(guids));
  for (const guid of guids) {
    const owed = await scheduler.claimOverdue(db, batchRules, guid);
    afterCommit(async () => scheduler.take(owed));
  }
  afterCommit(() => scheduler.changed(batchRules, guids));
}
