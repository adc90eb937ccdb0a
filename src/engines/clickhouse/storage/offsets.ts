// Offsets of sources, stored with the records that were read up to them although the two are in different databases: an intent is
// written first, then the records, then the offset. What a crash leaves in between is decided by the records.

import type { SourceOffset, SourceSelection } from '#engines/engine.ts';
import type { Db } from '#store/kysely.ts';
import type { Store } from '#store/store.ts';
import { withCatalog } from './catalog-schema.ts';

/** Records that go together with offsets. */
export interface Intent {
  readonly token: string;
  readonly firstId: number;
  readonly rows: number;
  readonly offsets: readonly SourceOffset[];
}

export async function intend(store: Store, tableId: number, intents: readonly Intent[]): Promise<void> {
  await store.write(async (unit) => {
    for (const { token, firstId, rows, offsets } of intents) {
      for (const { source, position } of offsets) {
        const changes = { intended: position, token, first_id: firstId, rows };
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
    const about = rows.updateTable('clickhouse_offsets').where('table_id', '=', tableId).where('token', '=', token);
    if (isStored) await about.set(({ ref }) => ({ position: ref('intended'), intended: null })).execute();
    else await about.set({ intended: null }).execute();
  });
}

/** Offsets without an intent between: those of records that became visible in the same unit. */
export async function writeOffsets(db: Db, tableId: number, offsets: readonly SourceOffset[]): Promise<void> {
  for (const { source, position } of offsets) {
    await withCatalog(db)
      .insertInto('clickhouse_offsets')
      .values({ table_id: tableId, source, position, intended: null, token: '', first_id: 0, rows: 0 })
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

/** Intents that an earlier process has left, each once. */
export async function openIntents(store: Store, tableId: number): Promise<readonly Omit<Intent, 'offsets'>[]> {
  const rows = await store.reader.all(
    `select distinct token, first_id, rows from clickhouse_offsets where table_id = ? and intended is not null`,
    [tableId],
  );
  return rows.map(({ token, first_id, rows: count }) => ({
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
