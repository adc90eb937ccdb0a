// Units of one group that are sent before the ones ahead of them are answered: each ends as if it had begun after the end of the others.

import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { type Db, sendsNoMore } from '#store/kysely.ts';
import { insertEach } from '#store/rows/many.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { countWaits } from '#test/support/round-trips.ts';
import { databases } from '#test/support/service.ts';

const postgres = databases.find(({ name }) => name === 'postgres');

const rowOf = (name: string, guid = newGuid()) => ({
  guid,
  name,
  description: null,
  search: name,
  created_at: 1,
  updated_at: 1,
});

const namesIn = async (db: Db) =>
  (await db.selectFrom('companies').select('name').orderBy('name').execute()).map(({ name }) => name);

/** Everything is sent at once; refused where the name is taken. Gives the names that were there before. */
const create =
  (name: string, guid = newGuid()) =>
  async (db: Db) => {
    const before = namesIn(db);
    const inserted = db.insertInto('companies').values(rowOf(name, guid)).execute();
    sendsNoMore(db);
    const [found] = await Promise.allSettled([before, inserted]);
    if (found.status === 'rejected') throw found.reason;
    if (found.value.includes(name)) throw new Error(`${name} is taken`);
    await inserted;
    return found.value.length;
  };

describe.skipIf(postgres?.skip)('Units of one group on PostgreSQL', () => {
  let database: string;
  const opened: Store[] = [];

  beforeEach(async () => {
    database = await createMetadataDatabase(`u_${newGuid().replaceAll('-', '')}`);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  async function open(location = database) {
    const store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
    opened.push(store);
    return store;
  }

  const outcomesOf = async (work: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(work)).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message));

  /** In one group. */
  const written = (store: Store, units: readonly ((db: Db) => Promise<unknown>)[]) =>
    outcomesOf(units.map((unit) => store.write(unit)));

  it('wait for the database together where they have sent everything', async () => {
    await using way = await countWaits(database);
    const store = await open(way.url);
    await store.write(create('warm up'));
    const before = way.waits();
    await Promise.all(Array.from({ length: 20 }, (_, number) => store.write(create(`unit ${number}`))));
    expect(way.waits() - before).toBeLessThanOrEqual(5);
    expect(await store.read(namesIn)).toHaveLength(21);
  });

  it('are undone alone, by a check or by the database, and those behind them do not notice', async () => {
    const store = await open();
    const guid = newGuid();
    const units = [create('a', guid), create('a'), create('b'), create('c', guid), create('d'), create('b')];
    const [first, taken, second, refused, third, last] = await outcomesOf(units.map((unit) => store.write(unit)));
    expect([first, taken, second, third, last]).toEqual([0, 'a is taken', 1, 2, 'b is taken']);
    expect(refused).toContain('duplicate key');
    expect(await store.read(namesIn)).toEqual(['a', 'b', 'd']);
  });

  it('have no more savepoints inside of each other than the database keeps with ease, and are as many as they like', async () => {
    const store = await open();
    const units = Array.from({ length: 200 }, (_, number) => create(number % 50 === 49 ? 'same' : `unit ${number}`));
    const outcomes = await outcomesOf(units.map((unit) => store.write(unit)));
    expect(outcomes.filter((one) => one === 'same is taken')).toHaveLength(3);
    expect(await store.read(namesIn)).toHaveLength(197);
  });

  it('may send nothing after they have said so, and are undone if they do', async () => {
    const store = await open();
    const talkative = async (db: Db): Promise<number> => {
      await create('lost')(db);
      return (await namesIn(db)).length;
    };
    const outcomes = await outcomesOf([create('a'), talkative, create('b')].map((unit) => store.write(unit)));
    expect(outcomes).toEqual([0, 'this unit had said that it sends no more', 1]);
    expect(await store.read(namesIn)).toEqual(['a', 'b']);
  });

  it('may send nothing then, also before their turn, and leave what others have written', async () => {
    const store = await open();
    const slow = async (db: Db): Promise<number> => {
      const counted = create('a')(db);
      await db.executeQuery(sql`select pg_sleep(0.2)`.compile(db)).catch(() => undefined);
      return await counted;
    };
    const late = async (db: Db): Promise<number> => {
      const created = create('late')(db);
      await pause(50);
      await db.insertInto('companies').values(rowOf('later')).execute();
      return await created;
    };
    const outcomes = await written(store, [slow, late, create('a'), create('b')]);
    expect(outcomes.slice(1)).toEqual(['this unit had said that it sends no more', 'a is taken', 1]);
    expect(await store.read(namesIn)).toEqual(['a', 'b']);
  });

  it('may say so behind many rows at once: the next unit waits for these', async () => {
    const store = await open();
    const many = async (db: Db): Promise<string> => {
      const inserted = insertEach(db, 'companies', [rowOf('many 1'), rowOf('many 2')]);
      sendsNoMore(db);
      await inserted;
      return 'many';
    };
    const outcomes = await written(store, [create('a'), many, create('a'), create('b')]);
    expect(outcomes).toEqual([0, 'many', 'a is taken', 3]);
    expect(await store.read(namesIn)).toEqual(['a', 'b', 'many 1', 'many 2']);
  });

  it('are sent a few times at most where many of them are refused', async () => {
    await using way = await countWaits(database);
    const store = await open(way.url);
    await store.write(create('same'));
    const before = way.bytes();
    await written(store, [create('same')]);
    const one = way.bytes() - before;
    const units = Array.from({ length: 60 }, () => create('same'));
    expect(new Set(await written(store, units))).toEqual(new Set(['same is taken']));
    expect(way.bytes() - before).toBeLessThan(4 * 60 * one);
  });

  it('all end when the connection breaks while one of them waits for something else', async () => {
    const store = await open();
    const breaking = async (db: Db): Promise<void> => {
      const broken = db.executeQuery(sql`select pg_terminate_backend(pg_backend_pid())`.compile(db));
      sendsNoMore(db);
      await broken;
    };
    const waiting = async (db: Db): Promise<number> => {
      await pause(500);
      return await create('late')(db).catch(() => create('again')(db));
    };
    const outcomes = await written(store, [breaking, waiting, create('a')]);
    expect(outcomes.every((outcome) => typeof outcome === 'string')).toBe(true);
    expect(await store.write(create('b'))).toBe(0);
  });

  it('come before the effects that were asked for after them', async () => {
    const store = await open();
    const order: string[] = [];
    const noted = (name: string) => async (db: Db) => {
      await create(name)(db);
      order.push(name);
    };
    const effect = (name: string) => store.join(() => void order.push(name));
    await Promise.all([store.write(noted('a')), effect('b'), store.write(noted('c')), effect('d')]);
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('end as they do one after another, whatever they are', async () => {
    const store = await open();
    const kinds = ['create', 'read', 'many', 'throw', 'break', 'careless'] as const;
    const unit = fc.record({ kind: fc.constantFrom(...kinds), name: fc.constantFrom('a', 'b', 'c', 'd') });
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 2, maxLength: 12 }), async (units) => {
        const works = units.map(workOf);
        const alone: unknown[] = [];
        for (const work of works) alone.push(...(await outcomesOf([store.write(work)])));
        const serial = await store.read(namesIn);
        await store.write((db) => db.deleteFrom('companies').execute());
        expect(await outcomesOf(works.map((work) => store.write(work)))).toEqual(alone);
        expect(await store.read(namesIn)).toEqual(serial);
        await store.write((db) => db.deleteFrom('companies').execute());
      }),
      { numRuns: 40 },
    );
  });
});

interface RandomUnit {
  readonly kind: 'create' | 'read' | 'many' | 'throw' | 'break' | 'careless';
  readonly name: string;
}

function workOf({ kind, name }: RandomUnit): (db: Db) => Promise<unknown> {
  const insert = (db: Db) => db.insertInto('companies').values(rowOf(name, newGuid())).execute();
  const works = {
    create: create(name),
    read: async (db: Db) => [await namesIn(db), await namesIn(db)],
    many: async (db: Db) => {
      await Promise.all([insertEach(db, 'companies', [rowOf(`${name}1`), rowOf(`${name}2`)]), namesIn(db)]);
      return await namesIn(db);
    },
    throw: async (db: Db) => {
      await insert(db);
      throw new Error('refused');
    },
    break: async (db: Db) => {
      await insert(db).then(() => db.insertInto('companies').values(rowOf('x', 'no')).execute());
      await db.deleteFrom('companies').where('guid', '=', 'no').execute();
      await db
        .selectFrom('companies')
        .select('missing' as 'name')
        .execute();
    },
    careless: async (db: Db) => {
      await insert(db);
      await db
        .selectFrom('companies')
        .select('missing' as 'name')
        .execute()
        .catch(() => undefined);
    },
  };
  return works[kind];
}
