// When batch rules ran and will run.

import { BATCH_RULE } from '#detection/batch-kind.ts';
import { scheduleOf } from '#detection/rule-store.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { RuleRow } from '#store/rule-schema.ts';
import type { RunTimes } from './model.ts';

/** By guid. */
export async function timesOf(
  db: Db,
  rules: readonly RuleRow[],
  scheduler: Scheduler,
): Promise<ReadonlyMap<string, RunTimes>> {
  const batch = rules.filter(({ kind }) => kind === 'batch');
  const guids = batch.map(({ guid }) => guid);
  const states = await inChunks(guids, (chunk) =>
    db
      .selectFrom('schedule_states')
      .select(['guid', 'last_run_at'])
      .where('kind', '=', BATCH_RULE)
      .where('guid', 'in', [...chunk])
      .execute(),
  );
  const last = new Map(states.map(({ guid, last_run_at }) => [guid, last_run_at]));
  return new Map(
    batch.map((rule) => {
      const schedule = rule.enabled === 1 ? scheduleOf(rule) : undefined;
      return [
        rule.guid,
        { last: last.get(rule.guid) ?? undefined, next: schedule === undefined ? undefined : scheduler.next(schedule) },
      ];
    }),
  );
}
