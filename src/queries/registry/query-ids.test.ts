import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { QueryIds } from './query-ids.ts';

const folder = mkdtempSync(join(tmpdir(), 'vigil-ids-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unobserved = { groupCommitted: () => undefined, storeFailed: () => undefined };

/** Ids of a node whose queries of these ids are kept. */
const idsOf = (store: Store, kept: readonly number[] = [], node = 'n1') =>
  new QueryIds({ store, node, kept: { ids: () => kept, has: (id) => kept.includes(id) } });

const taken = async (ids: QueryIds, count: number) =>
  await Promise.all(Array.from({ length: count }, () => ids.next()));

const blockIn = async (store: Store) => (await store.reader.all('select next_id from query_ids'))[0]?.next_id;

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`Ids of queries, on ${name}`, () => {
    const opened: Store[] = [];
    afterAll(async () => {
      for (const store of opened) await store.close();
    });
    const open = async () => {
      const url =
        name === 'postgres'
          ? await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`)
          : join(folder, newGuid());
      const store = await openStore(url, unobserved);
      opened.push(store);
      return store;
    };

    it('rise, over restarts too, and none is reserved before the first query', async () => {
      const store = await open();
      const first = idsOf(store);
      expect(await blockIn(store)).toBe(1);
      expect(await taken(first, 3)).toEqual([1, 2, 3]);
      expect(await taken(idsOf(store), 1)).toEqual([1001]);
      const further = await taken(first, 1000);
      expect(further.slice(995)).toEqual([999, 1000, 2001, 2002, 2003]);
      expect(await blockIn(store)).toBe(3001);
    });

    it('name the node that reserved their block, as long as it keeps queries of that block', async () => {
      const store = await open();
      const kept: number[] = [];
      const one = idsOf(store, kept);
      const other = idsOf(store, [], 'n2');
      expect([await one.next(), await other.next()]).toEqual([1, 1001]);
      for (const ids of [one, other]) {
        expect(await Promise.all([1, 1000, 1001, 2000, 2001, 0, -5].map((id) => ids.ownerOf(id)))).toEqual([
          'n1',
          'n1',
          'n2',
          'n2',
          undefined,
          undefined,
          undefined,
        ]);
      }
      kept.push(7);
      await taken(one, 2000);
      expect(await Promise.all([7, 2001, 3001].map((id) => other.ownerOf(id)))).toEqual(['n1', 'n1', 'n1']);
      kept.pop();
      await taken(one, 1000);
      expect(await Promise.all([7, 2001, 3001, 4001].map((id) => other.ownerOf(id)))).toEqual([
        undefined,
        undefined,
        'n1',
        'n1',
      ]);
      // A restart keeps no query.
      await idsOf(store).next();
      expect(await Promise.all([3001, 4001, 5001, 1001].map((id) => other.ownerOf(id)))).toEqual([
        undefined,
        undefined,
        'n1',
        'n2',
      ]);
    });

    it('begin anew before they need more than 31 bits, past those that are kept', async () => {
      const store = opened[0] ?? (await open());
      await store.write((db) =>
        db
          .updateTable('query_ids')
          .set({ next_id: 2 ** 31 - 1000 })
          .execute(),
      );
      const ids = idsOf(store, [1, 2]);
      expect(await ids.next()).toBe(2 ** 31 - 1000);
      expect((await taken(ids, 1000)).slice(998)).toEqual([2 ** 31 - 1, 3]);
    });
  });
}
