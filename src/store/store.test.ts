import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { yieldToEventLoop } from '#runtime/event-loop.ts';
import { createDatabase } from '#test/support/databases.ts';
import { occupyThread } from '#test/support/processor-time.ts';
import { databases } from '#test/support/service.ts';
import { connectionOf, type Db } from './kysely.ts';
import { metadataFile } from './sqlite/sqlite.ts';
import { openStore, type Store } from './store.ts';
import type { GroupHook } from './units/group.ts';

const company = (name: string) => ({
  guid: newGuid(),
  name,
  description: null,
  search: name,
  created_at: 1,
  updated_at: 1,
});
const insert = (name: string) => async (db: Db) => {
  await db.insertInto('companies').values(company(name)).execute();
  return name;
};
const hook = (parts: Partial<GroupHook>): GroupHook => ({
  seal: async () => {},
  committed() {},
  rolledBack() {},
  ...parts,
});

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`The store on ${name}`, () => {
    let folder: string;
    let location: string;
    let store: Store;
    const seen = { groups: [] as number[], failures: 0 };
    const observer = {
      groupCommitted: (units: number) => void seen.groups.push(units),
      storeFailed: () => {
        seen.failures += 1;
      },
    };
    const names = () => store.read((db) => db.selectFrom('companies').select('name').orderBy('name').execute());

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-store-'));
      location = name === 'sqlite' ? folder : await createDatabase(`s_${newGuid().replaceAll('-', '')}`);
      store = await openStore(location, observer);
      seen.groups = [];
      seen.failures = 0;
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('shows a unit to readers once it has been acknowledged', async () => {
      expect(await store.write(insert('one'))).toBe('one');
      expect(await names()).toEqual([{ name: 'one' }]);
      expect(await store.scanner.all('select name from companies')).toEqual([{ name: 'one' }]);
    });

    it('undoes a unit that fails, and only that one', async () => {
      const failing = store.write(async (db) => {
        await insert('bad')(db);
        throw new Error('no');
      });
      const outcomes = await Promise.allSettled([store.write(insert('a')), failing, store.write(insert('b'))]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await names()).toEqual([{ name: 'a' }, { name: 'b' }]);
    });

    it('undoes a unit whose statement the database refused, and goes on', async () => {
      const outcomes = await Promise.allSettled([store.write(insert('same')), store.write(insert('same'))]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      expect(await store.write(insert('next'))).toBe('next');
    });

    it('refuses a unit that goes on after its transaction has ended, and keeps nothing of it', async () => {
      const sealed = vi.fn(async () => {});
      store.onGroup(hook({ seal: sealed }));
      const ended = store.write(async (db) => {
        await connectionOf(db).exec('rollback');
        await connectionOf(db)
          .exec('select missing from companies')
          .catch(() => undefined);
        return 'kept';
      });
      await expect(ended).rejects.toThrow();
      expect(sealed).not.toHaveBeenCalled();
      expect(await store.write(insert('next'))).toBe('next');
    });

    it('commits units that wait together as one group', async () => {
      await Promise.all(Array.from({ length: 50 }, (_, index) => store.write(insert(`c${index}`))));
      expect(seen.groups).toEqual([50]);
    });

    it('calls group hooks inside the transaction, after a failed unit too', async () => {
      const sealed: string[] = [];
      store.onGroup(
        hook({
          seal: async (writer) => void sealed.push(JSON.stringify(await writer.all('select name from companies'))),
        }),
      );
      const told: unknown[] = [];
      const failing = store.write(
        () => Promise.reject(new Error('no')),
        (error) => told.push(error),
      );
      await Promise.allSettled([failing, store.write(insert('x')), store.join(() => told.push('joined'))]);
      expect(told).toEqual([new Error('no'), 'joined']);
      expect(sealed).toEqual(['[{"name":"x"}]']);
    });

    it('acknowledges nothing when the group cannot be committed, and keeps nothing', async () => {
      let isBroken = true;
      let undone = 0;
      const seal = () => (isBroken ? Promise.reject(new Error('disk')) : Promise.resolve());
      store.onGroup(
        hook({
          seal,
          rolledBack: () => {
            undone += 1;
          },
        }),
      );
      const outcomes = await Promise.allSettled([store.write(insert('a')), store.write(insert('b'))]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect([undone, seen.failures]).toEqual([1, 1]);
      isBroken = false;
      await store.write(insert('c'));
      expect(await names()).toEqual([{ name: 'c' }]);
    });

    it('keeps a durable group when a hook fails after the commit', async () => {
      store.onGroup(
        hook({
          committed() {
            throw new Error('no space left for the witness');
          },
        }),
      );
      expect(await store.write(insert('a'))).toBe('a');
      expect(await store.write(insert('b'))).toBe('b');
      expect(seen.failures).toBe(2);
    });

    it('sorts text byte by byte, whatever the machine’s language', async () => {
      for (const text of ['b', 'a', 'B', '한', 'é']) await store.write(insert(text));
      expect((await names()).map((row) => row.name)).toEqual(['B', 'a', 'b', 'é', '한']);
    });

    it('finds everything again after it was closed, and migrates once', async () => {
      await store.write(insert('kept'));
      await store.close();
      store = await openStore(location, observer);
      expect(await names()).toEqual([{ name: 'kept' }]);
    });

    it('refuses a database that a newer version has migrated', async () => {
      await store.write((db) =>
        db
          .insertInto('migrations' as never)
          .values({ number: 999, name: 'later' } as never)
          .execute(),
      );
      await store.close();
      await expect(openStore(location, observer)).rejects.toMatchObject({
        code: 'database-newer',
        values: { newest: '999' },
      });
      store = await openStore(mkdtempSync(join(folder, 'other-')), observer);
    });

    it('yields to the event loop between the statements of a long unit', async () => {
      const order: string[] = [];
      await store.write(async (db) => {
        setImmediate(() => order.push('another'));
        occupyThread(30);
        await insert('long')(db);
        order.push('unit');
      });
      expect(order).toEqual(['another', 'unit']);
    });

    it('does not mix a long unit with units requested meanwhile', async () => {
      const others: Promise<string>[] = [];
      await store.write(async (db) => {
        await insert('first')(db);
        setImmediate(() => others.push(store.write(insert('second'))));
        occupyThread(30);
        const seen = await db.selectFrom('companies').select('name').execute();
        expect([others.length, seen]).toEqual([1, [{ name: 'first' }]]);
      });
      await Promise.all(others);
      expect(seen.groups).toEqual([1, 1]);
    });

    it('inserts more rows at once than a statement can bind', async () => {
      const rows = Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v']);
      store.onGroup(hook({ seal: (writer) => writer.insertMany('installation', ['key', 'value'], rows) }));
      await store.join(() => {});
      expect(await store.reader.all('select count(*) as total from installation')).toEqual([{ total: 20_000 }]);
    });
  });
}

describe('A commit of the store on sqlite', () => {
  let folder: string;
  let store: Store;
  const failures: unknown[] = [];
  let flush: MockInstance<() => Promise<void>>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-store-'));
    store = await openStore(folder, { groupCommitted() {}, storeFailed: (error) => void failures.push(error) });
    await using handle = await open(metadataFile(folder));
    flush = vi.spyOn(Object.getPrototypeOf(handle), 'datasync');
  });
  afterEach(async () => {
    flush.mockRestore();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is acknowledged when its log is flushed, and not before', async () => {
    const flushed = Promise.withResolvers<void>();
    flush.mockImplementation(() => flushed.promise);
    let isAnswered = false;
    const written = store.write(insert('a')).then(() => {
      isAnswered = true;
    });
    await expect.poll(() => flush.mock.calls.length).toBe(1);
    for (let turn = 0; turn < 20; turn += 1) await yieldToEventLoop();
    expect(isAnswered).toBe(false);
    flushed.resolve();
    await written;
    await Promise.all([store.write(insert('b')), store.write(insert('c'))]);
    expect(flush).toHaveBeenCalledTimes(2);
  });

  it('goes to the database itself where its log cannot be flushed', async () => {
    flush.mockRejectedValueOnce(new Error('the disk is broken'));
    await store.write(insert('a'));
    expect(failures).toMatchObject([{ cause: { message: 'the disk is broken' } }]);
    // Without the log: all of it is in the file.
    const alone = mkdtempSync(join(tmpdir(), 'vigil-store-'));
    copyFileSync(metadataFile(folder), metadataFile(alone));
    const other = await openStore(alone, { groupCommitted() {}, storeFailed() {} });
    const found = await other.read((db) => db.selectFrom('companies').select('name').execute());
    await other.close();
    rmSync(alone, { recursive: true, force: true });
    expect(found).toContainEqual({ name: 'a' });
    expect(await store.write(insert('b'))).toBe('b');
  });
});
