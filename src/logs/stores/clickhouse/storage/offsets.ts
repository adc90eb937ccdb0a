// Offsets of sources, stored with the records that were read up to them although the two are in different databases: an intent is
// written first, then the records, then the offset. What a crash leaves in between is decided by the records.

import type { SourceOffset, SourceSelection } from '#logs/log-store.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { withCatalog } from './catalog-schema.ts';
import { tableName } from './layout.ts';
import type { Shards } from './shards.ts';

/** Records that go together with offsets. */
export interface Intent {
  readonly token: string;
  readonly firstId: number;
  readonly rows: number;
  readonly offsets: readonly SourceOffset[];
}

export async function intend(
  store: Store,
  { tableId, node }: { readonly tableId: number; readonly node: string },
  intents: readonly Intent[],
): Promise<void> {
  await store.write(async (unit) => {
    for (const { token, firstId, rows, offsets } of intents) {
      for (const { source, position } of offsets) {
        const changes = { intended: position, token, first_id: firstId, rows, node };
        await withCatalog(unit)
          .insertInto('clickhouse_offsets')
          .values({ table_id: tableId, source, position: null, ...changes })
          .onConflict((conflict) => conflict.columns(['table_id', 'source']).doUpdateSet(changes))
          .execute();
      }
    }
  });
}

/** The records under a token are stored, or they are not and never will be. */
export async function settleIntents(
  store: Store,
  tableId: number,
  { token, isStored }: { readonly token: string; readonly isStored: boolean },
): Promise<void> {
  await store.write(async (unit) => {
    const rows = withCatalog(unit);
    // Batches of one insert share its token, and each of them may be settled: the second time says nothing new.
    const about = rows
      .updateTable('clickhouse_offsets')
      .where('table_id', '=', tableId)
      .where('token', '=', token)
      .where('intended', 'is not', null);
    if (isStored) await about.set(({ ref }) => ({ position: ref('intended'), intended: null })).execute();
    else await about.set({ intended: null }).execute();
  });
}

/** Offsets without an intent between: those of records that became visible in the same unit. */
export async function writeOffsets(db: Db, tableId: number, offsets: readonly SourceOffset[]): Promise<void> {
  for (const { source, position } of offsets) {
    await withCatalog(db)
      .insertInto('clickhouse_offsets')
      .values({ table_id: tableId, source, position, intended: null, token: '', first_id: 0, rows: 0, node: null })
      .onConflict((conflict) => conflict.columns(['table_id', 'source']).doUpdateSet({ position, intended: null }))
      .execute();
  }
}

export async function readOffsets(store: Store, tableId: number): Promise<ReadonlyMap<string, number>> {
  const rows = await store.reader.all(
    'select source, position from clickhouse_offsets where table_id = ? and position is not null',
    [tableId],
  );
  return new Map(rows.map(({ source, position }) => [String(source), Number(position)]));
}

interface OpenIntent extends Omit<Intent, 'offsets'> {
  /** Null for one of a version without names. */
  readonly node: string | null;
}

/** What other processes began to insert has ended, one way or the other, before it is looked for; of the nodes that are meant. */
export async function settleOpenIntents(
  { store, shards }: { readonly store: Store; readonly shards: Shards },
  tableId: number,
  isMeant: (node: string | null) => boolean,
): Promise<void> {
  for (const { token, firstId, rows, node } of await openIntents(store, tableId)) {
    if (!isMeant(node)) continue;
    await shards.each((client) => client.kill(token));
    const params = { from: firstId, to: firstId + rows };
    const counted = `select count() from ${tableName(tableId)} where _id >= {from:UInt64} and _id < {to:UInt64}`;
    const found = (await shards.rows(counted, { params })).reduce((total, [count]) => total + Number(count), 0);
    await settleIntents(store, tableId, { token, isStored: found > 0 });
  }
}

/** Intents that are under way, or that an earlier process has left, each once. */
async function openIntents(store: Store, tableId: number): Promise<readonly OpenIntent[]> {
  const rows = await store.reader.all(
    `select distinct token, first_id, rows, node from clickhouse_offsets where table_id = ? and intended is not null`,
    [tableId],
  );
  return rows.map(({ token, first_id, rows: count, node }) => ({
    node: node === null ? null : String(node),
    token: String(token),
    firstId: Number(first_id),
    rows: Number(count),
  }));
}

/** The rows of sources that are read no more. */
export async function removeSourceOffsets(db: Db, selection: SourceSelection): Promise<void> {
  const offsets = withCatalog(db).deleteFrom('clickhouse_offsets');
  if ('prefix' in selection) await offsets.where('source', 'like', `${selection.prefix}%`).execute();
  else if (selection.sources.length > 0) await offsets.where('source', 'in', selection.sources).execute();
}
