// The records that events of batch rules have counted, as hashes: windows of runs overlap if `duration` is longer than the period, and
// a record that several runs read counts once in its event. They are kept as long as a window may reach back to them.

import { hash } from 'node:crypto';
import type { Snapshot } from '#detection/rules/snapshot.ts';
import type { MapValue } from '#query/model/values.ts';
import { connectionOf, type Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import { insertEach } from '#store/rows/many.ts';
import type { Match } from './matches.ts';

/** Records that are kept for a rule: twice as many as a run may find. The oldest are forgotten first. */
const MAX_RECORDS_OF_RULE = 200_000;
/** Beyond `duration`: windows of missed slots are covered for 7 days, and ends are cut down to a day at most. */
const KEPT_MS = 8 * 24 * 60 * 60 * 1000;
/** Of a hash, so that it is a whole number of a double. */
const HASH_BITS = 53n;

/** Records that an event has counted in one run. */
interface CountedInEvent {
  readonly eventGuid: string;
  readonly records: readonly number[];
}

interface CountingRun {
  readonly rule: { readonly guid: string; readonly content: Snapshot };
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A hash of table, id and time of the record that a row is; undefined for a row without `_table` and `_id`, such as a group. */
export function recordHash(row: MapValue): number | undefined {
  const [table, id, time, node] = ['_table', '_id', '_time', '_node'].map((name) => row.get(name) ?? null);
  if (typeof table !== 'string' || typeof id !== 'bigint') return undefined;
  // A table that is dropped and made again numbers its records anew.
  const moment = time instanceof Temporal.Instant ? time.epochMilliseconds : null;
  const bytes = hash('sha256', JSON.stringify([table, String(id), moment, String(node)]), 'buffer');
  return Number(bytes.readBigUInt64LE() >> (64n - HASH_BITS));
}

/** The matches without those of records that are counted already; each record is added to `counted`. */
export function uncounted(matches: readonly Match[], counted: Set<number>): readonly Match[] {
  return matches.filter(({ record }) => {
    if (record === undefined) return true;
    if (counted.has(record)) return false;
    counted.add(record);
    return true;
  });
}

/** By event, what its earlier runs have counted. */
export async function countedRecords(db: Db, eventGuids: readonly string[]): Promise<Map<string, number[]>> {
  const counted = new Map<string, number[]>();
  const rows = await inChunks(eventGuids, (chunk) =>
    db
      .selectFrom('counted_records')
      .select(['event_guid', 'records'])
      .where('event_guid', 'in', [...chunk])
      .execute(),
  );
  for (const { event_guid, records } of rows) {
    const known = counted.get(event_guid) ?? [];
    counted.set(event_guid, known);
    // Copied, because doubles must be aligned.
    for (const record of new Float64Array(Uint8Array.from(records).buffer)) known.push(record);
  }
  return counted;
}

/** Keeps what a run has counted, and removes what no window reaches any more. */
export async function keepCounted(db: Db, run: CountingRun, counted: readonly CountedInEvent[]): Promise<void> {
  const { rule, now } = run;
  const some = counted.filter(({ records }) => records.length > 0);
  if (some.length === 0) return;
  await db.deleteFrom('counted_records').where('expires_at', '<=', now).execute();
  const kept = { rule_guid: rule.guid, expires_at: now + Number(rule.content.duration) * 1000 + KEPT_MS };
  const rows = some.map(({ eventGuid, records }) => ({
    event_guid: eventGuid,
    ...kept,
    size: records.length,
    records: new Uint8Array(Float64Array.from(records).buffer),
  }));
  await insertEach(db, 'counted_records', rows);
  await forgetOldest(db, rule.guid);
}

/** Keeps at least the newest half: as many as a run may find. The others go at once, so that not every run has to remove some. */
async function forgetOldest(db: Db, ruleGuid: string): Promise<void> {
  const { total } = await db
    .selectFrom('counted_records')
    .select((eb) => eb.fn.sum<number>('size').as('total'))
    .where('rule_guid', '=', ruleGuid)
    .executeTakeFirstOrThrow();
  if (Number(total) <= MAX_RECORDS_OF_RULE) return;
  const [last] = await connectionOf(db).all(
    `select max(id) as id from
       (select id, sum(size) over (order by id desc) - size as newer from counted_records where rule_guid = ?) as newest
     where newer >= ?`,
    [ruleGuid, MAX_RECORDS_OF_RULE / 2],
  );
  await db
    .deleteFrom('counted_records')
    .where('rule_guid', '=', ruleGuid)
    .where('id', '<=', Number(last?.id ?? 0))
    .execute();
}
