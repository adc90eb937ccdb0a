// Computed values of the records of rules: last and next run, last failure, and current error.

import { BATCH_RULE } from '#detection/rules/batch-rule-job.ts';
import { referencesOf } from '#detection/rules/references.ts';
import { type RuleKind, STREAM_RULE } from '#detection/rules/rule-kinds.ts';
import { scheduleOf } from '#detection/rules/rule-store.ts';
import type { StreamRules } from '#detection/stream/stream-rules.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { Scheduler } from '#scheduler/scheduler.ts';
import { runningJobs } from '#scheduler/slots/ledger.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import { type ResolvedReferences, resolveReferences } from '#store/rows/resolve.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';
import { type RuleState, toRecord } from './model.ts';
import { batchQueryError, streamQueryError } from './query-error.ts';
import type { RuleRecord } from './record-shape.ts';

export interface RuleRecordDeps {
  readonly db: Db;
  readonly zone: string;
  readonly queries: LiveQueries;
  readonly scheduler: Scheduler;
  readonly streamRules: StreamRules;
}

export async function recordsOf<K extends RuleKind>(
  _kind: K,
  rules: readonly RuleRow[],
  needs: RuleRecordDeps,
): Promise<RuleRecord<K>[]> {
  const { db, zone } = needs;
  const names = await resolveReferences(
    db,
    rules.flatMap((rule) => referencesOf(rule.kind, JSON.parse(rule.snapshot))),
  );
  const states = await statesOf(db, rules);
  const records: RuleRecord<K>[] = [];
  for (const rule of rules) {
    // Yields between texts: a long list must not block other requests.
    await eventLoop.nextSlot();
    const state = { ...states(rule), next: nextOf(rule, needs), queryError: await queryErrorOf(rule, names, needs) };
    records.push(toRecord(rule, { names, zone, state }));
  }
  return records;
}

async function statesOf(db: Db, rules: readonly RuleRow[]) {
  const kind = rules[0]?.kind === 'stream' ? STREAM_RULE : BATCH_RULE;
  const guids = rules.map(({ guid }) => guid);
  const rows = await inChunks(guids, (chunk) =>
    db
      .selectFrom('schedule_states')
      .selectAll()
      .where('kind', '=', kind)
      .where('guid', 'in', [...chunk])
      .execute(),
  );
  const running = await runningJobs(db, kind, guids);
  const states = new Map(rows.map((row) => [row.guid, row]));
  return ({ guid }: RuleRow): Omit<RuleState, 'next' | 'queryError'> => {
    const state = states.get(guid);
    return {
      last: state?.last_run_at ?? null,
      lastSuccess: state?.last_success_at ?? null,
      lastFailure: state?.last_failure_at ?? null,
      lastFailureReason: state?.last_failure_reason ?? null,
      isRunning: running.has(guid),
    };
  };
}

function nextOf(rule: RuleRow, { scheduler }: RuleRecordDeps): number | null {
  const schedule = rule.enabled === 1 ? scheduleOf(rule) : undefined;
  return (schedule === undefined ? undefined : scheduler.next(schedule)) ?? null;
}

async function queryErrorOf(rule: RuleRow, names: ResolvedReferences, needs: RuleRecordDeps): Promise<string | null> {
  const content = JSON.parse(rule.snapshot);
  if (rule.kind === 'batch') return await batchQueryError(rule, content, needs);
  return streamQueryError(content, names) ?? needs.streamRules.reasonOf(rule.guid) ?? null;
}
