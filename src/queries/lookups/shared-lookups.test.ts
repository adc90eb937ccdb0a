// Stored lookups of services that share a database and have folders of their own.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { connectionOf } from '#store/kysely.ts';
import { LookupContents, PART_BYTES } from '#store/rows/lookup-contents.ts';
import { createMetadataFile } from '#test/support/databases.ts';
import { type DuckdbHome, makeEngineHome, openSharedStore, type SharedStore } from '#test/support/log-engine.ts';
import { StoredLookups } from './stored-lookups.ts';

describe('Stored lookups that nodes share', () => {
  let shared: SharedStore;
  let homes: DuckdbHome[];
  let guid: string;

  beforeAll(async () => {
    const folder = join(mkdtempSync(join(inject('folder'), 'shared-lookups-')), 'metadata');
    createMetadataFile(folder);
    shared = await openSharedStore(folder);
    homes = [await makeEngineHome({ shared }), await makeEngineHome({ shared })];
  });
  afterAll(async () => {
    for (const home of homes ?? []) await home[Symbol.asyncDispose]();
    await shared?.store.close();
  });
  beforeEach(async () => {
    guid = newGuid();
    await shared.store.write((db) =>
      db
        .insertInto('lookups')
        .values({ ...EMPTY, guid, name: `l${guid.slice(0, 8)}` })
        .execute(),
    );
  });

  const nodeAt = (index: number, isAlone = false) =>
    new StoredLookups({
      store: shared.store,
      engine: engineOf(index),
      clock: systemClock,
      contents: isAlone ? undefined : new LookupContents(shared.store),
      zone: 'UTC',
      maxRows: 100_000,
    });
  const engineOf = (index: number) => (homes[index] as DuckdbHome).engine;
  const filesAt = (index: number) => readdirSync(join((homes[index] as DuckdbHome).folder, 'lookups'));
  const partsOf = (file: string) =>
    shared.store.read((db) => connectionOf(db).all('select part from lookup_parts where content = ?', [file]));

  async function load(lookups: StoredLookups, rows: readonly (readonly [string, string])[], mode: 'replace' | 'merge') {
    await using loading = await lookups.begin({ columns: ['ip', 'owner'], key: 'ip' });
    await loading.add(
      rows.map(
        ([ip, owner]) =>
          new Map([
            ['ip', ip],
            ['owner', owner],
          ]),
      ),
    );
    await using prepared = await lookups.prepare(loading, { guid, mode });
    return prepared && (await lookups.commit(prepared));
  }

  async function read(lookups: StoredLookups): Promise<unknown[]> {
    using held = await lookups.hold(guid);
    if (!held) return [];
    const { texts } = await lookups.page(held, { offset: 0, limit: 10, keyword: '' });
    return texts.map((text) => JSON.parse(text));
  }

  it('are loaded by any of them and read by all', async () => {
    const first = nodeAt(0);
    const second = nodeAt(1);
    expect(await load(first, [['10.0.0.1', '김']], 'replace')).toMatchObject({ row_count: 1 });
    expect(await read(second)).toEqual([['10.0.0.1', '김']]);
    await load(second, [['10.0.0.2', '이']], 'merge');
    const both = [
      ['10.0.0.1', '김'],
      ['10.0.0.2', '이'],
    ];
    expect([await read(first), await read(second)]).toEqual([both, both]);
    // A version that is not in force any more leaves nothing, here and in the database.
    const [file = ''] = filesAt(0);
    expect([filesAt(0), filesAt(1)]).toEqual([[file], [file]]);
    expect(await partsOf(file)).toHaveLength(1);
    const all = await shared.store.read((db) => connectionOf(db).all('select distinct content from lookup_parts'));
    expect(all).toEqual([{ content: file }]);
    await first.retire(file);
    expect(await partsOf(file)).toEqual([]);
  });

  it('keep the rows of a run while another node loads', async () => {
    const first = nodeAt(0);
    const second = nodeAt(1);
    await load(first, [['a', '1']], 'replace');
    const held = await second.hold(guid);
    if (!held) throw new Error('it is there');
    await load(first, [['b', '2']], 'replace');
    expect(await read(second)).toEqual([['b', '2']]);
    expect((await second.page(held, { offset: 0, limit: 10, keyword: '' })).texts).toEqual(['["a","1"]']);
    held[Symbol.dispose]();
  });

  it('travel in parts where they are large, byte for byte', async () => {
    const first = nodeAt(0);
    const owner = () => Array.from({ length: 40 }, newGuid).join(' ');
    const rows = Array.from({ length: 4000 }, (_, at) => [String(at), owner()] as const);
    await load(first, rows, 'replace');
    using held = await first.hold(guid);
    const file = held?.file?.file ?? '';
    expect((await partsOf(file)).length).toBeGreaterThan(2);
    expect((await read(nodeAt(1)))[0]).toEqual(rows[0]);
    const bytesAt = async (index: number) => {
      const pieces = await Array.fromAsync(engineOf(index).lookups.pieces(file, PART_BYTES));
      return Buffer.concat(pieces);
    };
    expect((await bytesAt(0)).equals(await bytesAt(1))).toBe(true);
  });

  it('that one service wrote while it was alone are shown with its next start', async () => {
    await load(nodeAt(0, true), [['alone', '1']], 'replace');
    await expect(read(nodeAt(1))).rejects.toThrow('are on no node that shows them');
    await nodeAt(0).recover();
    expect(await read(nodeAt(1))).toEqual([['alone', '1']]);
  });

  it('come anew to a node whose folder was emptied', async () => {
    await load(nodeAt(0), [['c', '3']], 'replace');
    await read(nodeAt(1));
    for (const file of filesAt(1)) rmSync(join((homes[1] as DuckdbHome).folder, 'lookups', file));
    expect(await read(nodeAt(1))).toEqual([['c', '3']]);
  });
});

const EMPTY = {
  description: '',
  key: 'ip',
  columns: '["ip","owner"]',
  file: null,
  file_columns: '[]',
  row_count: 0,
  size: 0,
  version: 0,
  restricted: 0,
  owner_guid: '',
  search: '',
  created_at: 0,
  updated_at: 0,
} as const;
