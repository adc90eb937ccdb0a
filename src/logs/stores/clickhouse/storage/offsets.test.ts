// Offsets of batches that share an insert, as they are decided after a crash.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertTable } from '#logs/stores/embedded/storage/catalog.ts';
import { openStore, type Store } from '#store/store.ts';
import { newTableRow } from './catalog.ts';
import { withCatalog } from './catalog-schema.ts';
import { intend, readOffsets, settleOpenIntents } from './offsets.ts';
import type { Shards } from './shards.ts';

const TABLE = { name: 'web', layout: 'row', compression: 'snappy', schema_code: null, search: '' } as const;
const INTENTS = [
  { token: 't', firstId: 1, rows: 5, offsets: [{ source: 'a', position: 3 }] },
  { token: 't', firstId: 6, rows: 5, offsets: [{ source: 'b', position: 8 }] },
];

describe('Offsets of batches that share an insert', () => {
  let folder: string;
  let store: Store;
  let tableId: number;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-offsets-'));
    store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
    const row = { ...TABLE, retention: 0, created_at: 0, updated_at: 0 };
    tableId = await store.write(async (db) => {
      const id = await insertTable(db, row);
      await withCatalog(db).insertInto('clickhouse_tables').values(newTableRow(id)).execute();
      return id;
    });
    await intend(store, { tableId, node: 'n1' }, INTENTS);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  /** The far side: servers that have so many of the records of each batch. */
  const shardsWith = (found: number) =>
    ({ each: async () => undefined, rows: async () => [[String(found)]] }) as unknown as Shards;

  it('count where its records are there, all of them', async () => {
    await settleOpenIntents({ store, shards: shardsWith(5) }, tableId, () => true);
    expect(await readOffsets(store, tableId)).toEqual(
      new Map([
        ['a', 3],
        ['b', 8],
      ]),
    );
  });

  it('do not count where they are not', async () => {
    await settleOpenIntents({ store, shards: shardsWith(0) }, tableId, () => true);
    expect(await readOffsets(store, tableId)).toEqual(new Map());
  });
});
