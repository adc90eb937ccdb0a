// Counts of loggers while they are on their way into the database, which a reader may see before or after the writer.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { createDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases } from '#test/support/service.ts';
import { LoggerCounters } from './counters.ts';

const OBSERVER = { counted() {}, malformed() {}, handshakeRefused() {} };
const THREE = { logs: 3, volume: 30, drops: 1, dropVolume: 4 };

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`Counters of loggers on ${name}`, () => {
    let folder: string;
    let store: Store;
    const guid = newGuid();

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-counters-'));
      const location = name === 'sqlite' ? folder : await createDatabase(`c_${newGuid().replaceAll('-', '')}`);
      store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
      const counts = { log_count: 0, log_volume: 0, drop_count: 0, drop_volume: 0 };
      const references = { model_guid: newGuid(), table_name: 'web', group_guid: null, node: 'one', enabled: 1 };
      const named = { guid, name: 'web', description: null, search: 'web', created_at: 1, updated_at: 1 };
      await store.write((db) =>
        db
          .insertInto('loggers')
          .values({ ...named, ...references, ...counts })
          .execute(),
      );
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const row = () =>
      store.read((db) => db.selectFrom('loggers').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow());
    const known = (counters: LoggerCounters, { guid, log_count, drop_count }: Awaited<ReturnType<typeof row>>) => {
      const pending = counters.pendingOf({ guid, log_count, drop_count });
      return [log_count + pending.logs, drop_count + pending.drops];
    };

    /** A store whose units are not committed before they are let go. */
    function heldStore() {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const write: Store['write'] = (unit) =>
        store.write(async (db) => {
          const result = await unit(db);
          reached.resolve();
          await released.promise;
          return result;
        });
      return { store: { write } as Store, reached: reached.promise, release: released.resolve, fail: released.reject };
    }

    it('neither vanish nor come twice for a reader before, beside and after the commit', async () => {
      const held = heldStore();
      const counters = new LoggerCounters(held.store, new ManualClock('2024-03-01T00:00:00Z'), OBSERVER);
      const before = await row();
      counters.add(guid, THREE);
      expect(known(counters, before)).toEqual([3, 1]);
      const flushed = counters.flush();
      await held.reached;
      const beside = await row();
      expect(beside.log_count).toBe(0);
      expect(known(counters, beside)).toEqual([3, 1]);
      counters.add(guid, THREE);
      expect(known(counters, beside)).toEqual([6, 2]);
      held.release();
      await flushed;
      const after = await row();
      expect(after.log_count).toBe(3);
      expect(known(counters, after)).toEqual([6, 2]);
      expect(known(counters, beside)).toEqual([6, 2]);
    });

    it('are counted once where they could not be written', async () => {
      const held = heldStore();
      const counters = new LoggerCounters(held.store, new ManualClock('2024-03-01T00:00:00Z'), OBSERVER);
      counters.add(guid, THREE);
      const flushed = counters.flush();
      await held.reached;
      held.fail(new Error('no'));
      await expect(flushed).rejects.toThrow('no');
      expect(known(counters, await row())).toEqual([3, 1]);
    });
  });
}
