// Several processes that write to one PostgreSQL database: what a group costs those that wait for it.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import type { Db } from '#store/kysely.ts';
import { POSTGRES_LIMITS } from '#store/postgres/postgres-limits.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { countWaits } from '#test/support/round-trips.ts';
import { databases } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const postgres = databases.find(({ name }) => name === 'postgres');

const insert = (name: string) => async (db: Db) => {
  const row = { guid: newGuid(), name, description: null, search: name, created_at: 1, updated_at: 1 };
  await db.insertInto('companies').values(row).execute();
  return name;
};

describe.skipIf(postgres?.skip)('Writers of one PostgreSQL database', () => {
  let database: string;
  const opened: Store[] = [];

  beforeEach(async () => {
    database = await createMetadataDatabase(`w_${newGuid().replaceAll('-', '')}`);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  async function open(location = database) {
    const groups: number[] = [];
    const store = await openStore(location, { groupCommitted: (units) => void groups.push(units), storeFailed() {} });
    opened.push(store);
    return { store, groups };
  }

  const names = async (store: Store) =>
    (await store.read((db) => db.selectFrom('companies').select('name').orderBy('name').execute())).map(
      ({ name }) => name,
    );

  /** A unit that ends when it is told to. */
  function longUnit(store: Store) {
    const begun = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    const written = store.write(async (db) => {
      await insert('long')(db);
      begun.resolve();
      await told.promise;
    });
    return { begun: begun.promise, end: () => told.resolve(), written };
  }

  const waiting = (store: Store) =>
    store.reader.all("select 1 from pg_locks where locktype = 'advisory' and not granted");

  it('commits what came while another one was writing as one group', async () => {
    const one = await open();
    const other = await open();
    const long = longUnit(one.store);
    await long.begun;
    const first = other.store.write(insert('a'));
    await until(
      () => waiting(one.store),
      (rows) => rows.length > 0,
    );
    const later = ['b', 'c', 'd'].map((name) => other.store.write(insert(name)));
    long.end();
    expect(await Promise.all([first, ...later])).toEqual(['a', 'b', 'c', 'd']);
    await long.written;
    expect(other.groups).toEqual([4]);
    expect(await names(one.store)).toEqual(['a', 'b', 'c', 'd', 'long']);
  });

  it('refuses all that waited for a transaction that could not begin, and keeps nothing of it', async () => {
    const { store } = await open();
    await store.write(insert('before'));
    const waits = { lockMs: 300 };
    const impatient = await openStore(
      database,
      { groupCommitted() {}, storeFailed() {} },
      { ...POSTGRES_LIMITS, ...waits },
    );
    opened.push(impatient);
    const long = longUnit(store);
    await long.begun;
    const outcomes = await Promise.allSettled([impatient.write(insert('x')), impatient.write(insert('y'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    long.end();
    await long.written;
    expect(await impatient.write(insert('z'))).toBe('z');
    expect(await names(store)).toEqual(['before', 'long', 'z']);
  });

  it('waits for the database once for a statement of a unit, and no more than four times beside for the whole group', async () => {
    await using way = await countWaits(database);
    const { store } = await open(way.url);
    await store.write(insert('warm up'));
    const before = way.waits();
    const units = 20;
    await Promise.all(Array.from({ length: units }, (_, number) => store.write(insert(`unit ${number}`))));
    expect(way.waits() - before).toBeLessThanOrEqual(units + 4);
    expect(await names(store)).toHaveLength(units + 1);
  });

  it('undoes a unit that took no notice of a failed statement, and only that one', async () => {
    const { store } = await open();
    const careless = store.write(async (db) => {
      await insert('lost')(db);
      await db
        .insertInto('companies')
        .values({ guid: newGuid(), name: 'lost', description: null, search: '', created_at: 1, updated_at: 1 })
        .execute()
        .catch(() => undefined);
    });
    const outcomes = await Promise.allSettled([store.write(insert('a')), careless, store.write(insert('b'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await names(store)).toEqual(['a', 'b']);
  });
});
