// Days that are removed, in the catalog: hidden from the unit on that says so, and gone when no run reads them that began before.
// Runs of other nodes are known by the acknowledgement of their node.

import type { DialectName } from '#store/connection.ts';
import { DATABASE_NOW } from '#store/database-now.ts';
import { connectionOf, type Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { withCatalog } from './catalog-schema.ts';

/** The records of a day up to an arrival. */
export interface Removal {
  readonly tableId: number;
  readonly day: number;
  readonly arrived: number;
}

/** After this long a removal waits for no run: one that still reads fails. */
const MAX_WAIT_MS = 3_600_000;
/** No run takes longer. */
const KEPT_MS = 7 * 86_400_000;

/** Hides days up to an arrival, if `isStill` says so in the same unit. */
export async function beginRemovals(
  store: Store,
  { tableId, days, arrived }: { tableId: number; days: readonly number[]; arrived: number },
  isStill: (db: Db) => Promise<boolean> = async () => true,
): Promise<void> {
  await store.write(async (unit) => {
    const table = unit.selectFrom('log_tables').select('id').where('id', '=', tableId);
    if (!(await table.executeTakeFirst()) || !(await isStill(unit))) return;
    for (const day of days) await hideDay(unit, store.dialect, { tableId, day, arrived });
  });
}

/** Records of a day up to an arrival are to go. */
export async function hideDay(unit: Db, dialect: DialectName, { tableId, day, arrived }: Removal): Promise<void> {
  await connectionOf(unit).all(
    `insert into clickhouse_removals (table_id, day, arrived, is_pending, carried_out, since)
     values (?, ?, ?, 1, 0, ${DATABASE_NOW[dialect]})
     on conflict (table_id, day) do update set arrived = excluded.arrived, is_pending = 1, since = excluded.since`,
    [tableId, day, arrived],
  );
}

/** Up to which arrival records of a day were to go last. */
export async function removedUpTo(db: Db, { tableId, day }: Omit<Removal, 'arrived'>): Promise<number | undefined> {
  const last = 'select arrived from clickhouse_removals where table_id = ? and day = ?';
  const [row] = await connectionOf(db).all(last, [tableId, day]);
  return row && Number(row.arrived);
}

/** Those that are not carried out, by their tables. */
export async function pendingRemovals(store: Store): Promise<ReadonlyMap<number, readonly Removal[]>> {
  const rows = await store.reader.all(
    `select table_id, day, arrived from clickhouse_removals
     where is_pending > 0 and exists (select 1 from log_tables where id = table_id)`,
  );
  const all = rows.map((row) => ({
    tableId: Number(row.table_id),
    day: Number(row.day),
    arrived: Number(row.arrived),
  }));
  return Map.groupBy(all, ({ tableId }) => tableId);
}

/** No run of the node reads what is removed. */
export async function acknowledge(store: Store, removals: readonly Removal[], node: string): Promise<void> {
  const known = await store.reader.all('select table_id, day, arrived from clickhouse_removal_acks where node = ?', [
    node,
  ]);
  const isKnown = ({ tableId, day, arrived }: Removal) =>
    known.some((ack) => Number(ack.table_id) === tableId && Number(ack.day) === day && Number(ack.arrived) === arrived);
  const added = removals.filter((removal) => !isKnown(removal));
  if (added.length === 0) return;
  await store.write(async (unit) => {
    for (const { tableId: table_id, day, arrived } of added) {
      // The table may be dropped meanwhile.
      const tables = withCatalog(unit).selectFrom('clickhouse_tables').select('table_id');
      if (!(await tables.where('table_id', '=', table_id).executeTakeFirst())) continue;
      await withCatalog(unit)
        .insertInto('clickhouse_removal_acks')
        .values({ table_id, day, arrived, node })
        .onConflict((conflict) => conflict.columns(['table_id', 'day', 'node']).doUpdateSet({ arrived }))
        .execute();
    }
  });
}

/** Of these, the removals that no run of these nodes is in the way of. */
export async function acknowledged(
  store: Store,
  removals: readonly Removal[],
  nodes: readonly string[],
): Promise<readonly Removal[]> {
  const ready: Removal[] = [];
  for (const removal of removals) {
    const { tableId, day, arrived } = removal;
    const acks = await store.reader.all(
      `select a.node, ${DATABASE_NOW[store.dialect]} - r.since as waited from clickhouse_removals r
       left join clickhouse_removal_acks a on a.table_id = r.table_id and a.day = r.day and a.arrived = r.arrived
       where r.table_id = ? and r.day = ? and r.arrived = ?`,
      [tableId, day, arrived],
    );
    const isLate = acks.some(({ waited }) => Number(waited) > MAX_WAIT_MS);
    if (isLate || nodes.every((node) => acks.some((ack) => ack.node === node))) ready.push(removal);
  }
  return ready;
}

const ONE = 'table_id = ? and day = ? and arrived = ?';

/** To be called before the records go: a run that reads on finds that it was cut short. */
export async function carryOut(store: Store, { tableId, day, arrived }: Removal): Promise<void> {
  const begun = `update clickhouse_removals set is_pending = 2, carried_out = carried_out + 1 where is_pending = 1 and ${ONE}`;
  await store.write((unit) => connectionOf(unit).all(begun, [tableId, day, arrived]));
}

/** The records of a day up to that arrival are gone. */
export async function endRemoval(store: Store, { tableId, day, arrived }: Removal): Promise<void> {
  await store.write(async (unit) => {
    const connection = connectionOf(unit);
    await connection.all(`update clickhouse_removals set is_pending = 0 where ${ONE}`, [tableId, day, arrived]);
    await connection.all(`delete from clickhouse_removal_acks where ${ONE}`, [tableId, day, arrived]);
  });
}

/** Forgets removals that were carried out long ago. */
export async function forgetRemovals(store: Store): Promise<void> {
  const old = `is_pending = 0 and since < ${DATABASE_NOW[store.dialect]} - ${KEPT_MS}`;
  const [found] = await store.reader.all(`select 1 from clickhouse_removals where ${old} limit 1`);
  if (found) await store.write((unit) => connectionOf(unit).exec(`delete from clickhouse_removals where ${old}`));
}

/** Whether removals were carried out that a run did not know of: those that it did are in `carriedOut` by their days. */
export async function wasCutShort(
  store: Store,
  tableId: number,
  carriedOut: ReadonlyMap<number, number>,
): Promise<boolean> {
  const rows = await store.reader.all('select day, carried_out from clickhouse_removals where table_id = ?', [tableId]);
  return rows.some((row) => Number(row.carried_out) > (carriedOut.get(Number(row.day)) ?? 0));
}
