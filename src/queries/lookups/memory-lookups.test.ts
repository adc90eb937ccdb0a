// Lookups in memory: whose they are, how many, and that a run sees those that it holds. In the process, and in the database
// that several services share.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import type { MapValue } from '#query/model/values.ts';
import { connectionOf } from '#store/kysely.ts';
import { LookupContents } from '#store/rows/lookup-contents.ts';
import type { Store } from '#store/store.ts';
import { createMetadataDatabase, createMetadataFile } from '#test/support/databases.ts';
import { openSharedStore } from '#test/support/log-engine.ts';
import { type Database, databases } from '#test/support/service.ts';
import { MAX_LOOKUPS, MAX_SIZE, type MemoryLookup, ProcessLookups, SharedLookups } from './lookup-memory.ts';
import { MAX_ROWS, MemoryLookups } from './memory-lookups.ts';

const row = (k: bigint): MapValue => new Map([['k', k]]);
const NOTHING = { inMemory: () => undefined, stored: () => undefined };

async function keep(
  memory: MemoryLookups,
  owner: string,
  name: string,
  { rows = [row(1n)], size = 10, isSecret = false } = {},
) {
  const columns = [{ name: 'k', type: 'long' as const }];
  const building = memory.forRun(owner, NOTHING, []).build({ name, key: 'k', columns, isSecret });
  building.add(rows, size);
  await building.commit();
}

const rowsOf = async (memory: MemoryLookups, owner: string, name: string) => {
  const lookup = (await memory.of(owner)).get(name);
  return lookup && (await memory.data(lookup))?.rows;
};

/** Each test has accounts of its own: a store is shared. */
function itKeepsLookups(open: () => MemoryLookups) {
  it('belong to their owner, and are replaced and dropped by name', async () => {
    const memory = open();
    await keep(memory, 'one', 'm');
    await keep(memory, 'two', 'm', { rows: [row(1n), row(2n)] });
    await keep(memory, 'two', 'n');
    const listed = await memory.listed('one');
    expect(listed.map((lookup) => [lookup.get('name'), lookup.get('rows')])).toEqual([['m', 1n]]);
    await memory.forRun('two', NOTHING, []).drop({ lookup: 'm' });
    expect([...(await memory.of('two')).keys()]).toEqual(['n']);
    expect((await memory.of('nobody')).size).toBe(0);
    expect(await rowsOf(memory, 'one', 'm')).toEqual([row(1n)]);
    await keep(memory, 'one', 'm', { rows: [row(7n)] });
    expect(await rowsOf(memory, 'one', 'm')).toEqual([row(7n)]);
  });

  it('are not there before they are whole', async () => {
    const memory = open();
    const building = memory.forRun('early', NOTHING, []).build({ name: 'm', key: 'k', columns: [], isSecret: false });
    building.add([row(1n)], 10);
    expect((await memory.of('early')).size).toBe(0);
  });

  it('have values of every type as they were', async () => {
    const values: MapValue = new Map<string, MapValue | bigint | number | string | boolean | Uint8Array | null>([
      ['k', '열쇠\n"\\'],
      ['long', 2n ** 62n],
      ['whole', 2],
      ['none', null],
      ['yes', true],
      ['bytes', new Uint8Array([0, 255])],
      [
        'map',
        new Map([
          ['b', 1n],
          ['a', 2n],
        ]),
      ],
    ]);
    const memory = open();
    const rows = [new Map([...values, ['time', Temporal.Instant.from('2026-01-02T03:04:05.678Z')]])];
    await keep(memory, 'typed', 'm', { rows });
    expect(await rowsOf(memory, 'typed', 'm')).toEqual(rows);
    await keep(memory, 'typed', 'none', { rows: [] });
    expect(await rowsOf(memory, 'typed', 'none')).toEqual([]);
  });

  it('have their limits', async () => {
    const memory = open();
    const many = Array.from({ length: MAX_ROWS }, () => row(1n));
    await keep(memory, 'three', 'most', { rows: many });
    expect(await rowsOf(memory, 'three', 'most')).toHaveLength(MAX_ROWS);
    await expect(keep(memory, 'three', 'more', { rows: [...many, row(2n)] })).rejects.toThrow(
      'vigil failure 93011 beyond 100000',
    );
    await expect(keep(memory, 'three', 'large', { size: MAX_SIZE + 1 })).rejects.toThrow('too large');
    await keep(memory, 'four', 'half', { size: MAX_SIZE / 2 });
    await keep(memory, 'four', 'half', { size: MAX_SIZE / 2 });
    await expect(keep(memory, 'four', 'rest', { size: MAX_SIZE / 2 + 1 })).rejects.toThrow('too large');
    for (let at = 0; at < MAX_LOOKUPS; at += 1) await keep(memory, 'five', `m${at}`);
    await keep(memory, 'five', 'm0');
    await expect(keep(memory, 'five', 'beyond')).rejects.toThrow('vigil failure 93011 beyond 100');
  });
}

describe('Lookups in memory', () => {
  itKeepsLookups(() => new MemoryLookups(systemClock, new ProcessLookups()));

  it('make a run secret that reads what came from an encrypted table', async () => {
    const memory = new MemoryLookups(systemClock, new ProcessLookups());
    await keep(memory, 'one', 'm', { isSecret: true });
    const data = await memory.data((await memory.of('one')).get('m') as MemoryLookup);
    const found = { ...NOTHING, inMemory: () => data };
    expect(memory.forRun('one', found, [{ lookup: 'm' }]).isSecret).toBe(true);
    expect(memory.forRun('one', NOTHING, [{ lookup: 'm' }]).isSecret).toBe(false);
  });
});

describe.each(databases)('Lookups in memory that nodes share, on $name', ({ name, skip }) => {
  let store: Store;
  beforeAll(async () => {
    if (!skip) store = await openStoreOn(name);
  });
  afterAll(() => store?.close());

  const node = () => new MemoryLookups(systemClock, new SharedLookups({ store, contents: new LookupContents(store) }));
  const sql = (text: string) => store.write((db) => connectionOf(db).all(text));

  describe.skipIf(skip)('', () => {
    itKeepsLookups(node);

    it('are there for every node, and gone for every node', async () => {
      const first = node();
      const second = node();
      await keep(first, 'all', 'm', { rows: [row(3n)] });
      expect(await rowsOf(second, 'all', 'm')).toEqual([row(3n)]);
      const seen = (await first.of('all')).get('m') as MemoryLookup;
      await keep(second, 'all', 'm', { rows: [row(4n)] });
      // Its rows have gone with the version that the first node saw.
      expect(await first.data(seen)).toBeUndefined();
      expect(await rowsOf(first, 'all', 'm')).toEqual([row(4n)]);
      await second.forRun('all', NOTHING, []).drop({ lookup: 'm' });
      expect((await first.of('all')).size).toBe(0);
    });

    it('are never written where they are secret, nor seen by another node', async () => {
      const first = node();
      const second = node();
      await keep(first, 'careful', 'm');
      await keep(first, 'careful', 'm', { rows: [row(9n)], isSecret: true });
      expect(await rowsOf(first, 'careful', 'm')).toEqual([row(9n)]);
      expect((await second.of('careful')).size).toBe(0);
      expect(await sql(`select * from memory_lookups where account = 'careful'`)).toEqual([]);
    });

    it('end a day after they were last read or built, and leave nothing', async () => {
      await sql('delete from memory_lookups');
      await sql('delete from lookup_parts');
      const memory = node();
      await keep(memory, 'late', 'read');
      await keep(memory, 'late', 'forgotten');
      await sql(`update memory_lookups set used_at = used_at - 24 * 3600000 + 60000`);
      expect((await memory.of('late')).size).toBe(2);
      await rowsOf(memory, 'late', 'read');
      await sql(`update memory_lookups set used_at = used_at - 120000`);
      expect([...(await memory.of('late')).keys()]).toEqual(['read']);
      await keep(memory, 'late', 'read', { rows: [] });
      expect(await sql('select name from memory_lookups')).toEqual([{ name: 'read' }]);
      expect(await sql('select part from lookup_parts')).toHaveLength(1);
    });
  });
});

async function openStoreOn(name: Database): Promise<Store> {
  if (name === 'postgres') return (await openSharedStore(await createMetadataDatabase('memory_lookups'))).store;
  const folder = join(mkdtempSync(join(inject('folder'), 'memory-lookups-')), 'metadata');
  createMetadataFile(folder);
  return (await openSharedStore(folder)).store;
}
