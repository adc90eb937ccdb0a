// Applies changes of rules to the scheduler and to stream detection.

import type { RuleKind } from '#detection/rules/rule-kinds.ts';
import type { StreamRules } from '#detection/stream/stream-rules.ts';
import type { Call } from '#operations/endpoint.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';

export interface ScheduleDeps extends Call {
  readonly scheduler: Scheduler;
  readonly batchRules: JobKind;
  readonly streamRules: StreamRules;
}

/**
 * Called in the unit that changes rules, before the change: records slots that are due by the former schedules. Once the
 * change is durable, schedules and stream rules are updated.
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
