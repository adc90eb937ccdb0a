// Counts of loggers while they are on their way into the database, which a reader may see before or after the writer.

import { appendFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeNumbers, OWN_NUMBERS } from '#cluster/numbers.ts';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { busesOf } from '#test/support/cluster-on.ts';
import { createDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases } from '#test/support/service.ts';
import { LoggerCounters } from './counters.ts';
import { UnwrittenCounts } from './unwritten-counts.ts';

const OBSERVER = { counted() {}, malformed() {}, repaired() {}, fileHeldBack() {}, handshakeRefused() {} };
const CLOCK = '2024-03-01T00:00:00Z';
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

    const failed = (error: unknown) => {
      throw error;
    };
    const filesOf = (dataFolder = folder) => UnwrittenCounts.open({ store, dataFolder, failed });

    const countersOn = async (written: Store, dataFolder = folder, clock = new ManualClock(CLOCK)) =>
      new LoggerCounters({
        store: written,
        clock,
        observer: OBSERVER,
        numbers: OWN_NUMBERS,
        unwritten: await filesOf(dataFolder),
      });
    const countFiles = () => globSync('**/*.counts', { cwd: folder });

    /** A store whose units are not committed before they are let go. */
    function heldStore() {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
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
      const counters = await countersOn(held.store);
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

    it('have the last log of any node within a second, and the latest in the database whoever writes last', async () => {
      const clock = new ManualClock(CLOCK);
      const nodes = busesOf(2).map((bus) => new NodeNumbers({ clock, bus }));
      const unwritten = await filesOf();
      const [one, two] = nodes.map(
        (numbers) => new LoggerCounters({ store, clock, observer: OBSERVER, numbers, unwritten }),
      );
      if (!one || !two) throw new Error('no counters');
      const start = clock.nowMs();
      one.add(guid, THREE);
      clock.advance({ seconds: 5 });
      expect([two.lastLogOf(guid), two.lastLogAnywhere(guid)]).toEqual([undefined, start]);
      two.add(guid, THREE);
      expect([one.lastLogAnywhere(guid), two.lastLogAnywhere(guid)]).toEqual([start, start + 5000]);
      clock.advance({ seconds: 1 });
      expect([one.lastLogOf(guid), one.lastLogAnywhere(guid)]).toEqual([start, start + 5000]);
      await two.flush();
      await one.flush();
      expect(await row()).toMatchObject({ log_count: 6, last_log_at: start + 5000 });
      await one.close();
      await two.close();
    });

    it('have the time of their last log, also after one that a wrong clock has written', async () => {
      const clock = new ManualClock('2024-03-01T00:00:00Z');
      const counters = await countersOn(store, folder, clock);
      const written = async (last_log_at: number) => {
        await store.write((db) => db.updateTable('loggers').set({ last_log_at }).execute());
        counters.add(guid, THREE);
        await counters.flush();
        return (await row()).last_log_at;
      };
      expect(await written(clock.nowMs() - 1000)).toBe(clock.nowMs());
      expect(await written(clock.nowMs() + 1000)).toBe(clock.nowMs() + 1000);
      expect(await written(clock.nowMs() + 3_600_000)).toBe(clock.nowMs());
      await store.write((db) =>
        db
          .updateTable('loggers')
          .set({ last_log_at: clock.nowMs() + 3_600_000 })
          .execute(),
      );
      const dropping = await countersOn(store, folder, clock);
      dropping.add(guid, { ...THREE, logs: 0 });
      await dropping.flush();
      expect((await row()).last_log_at).toBe(clock.nowMs() + 3_600_000);
    });

    it('are counted once where they could not be written', async () => {
      const held = heldStore();
      const counters = await countersOn(held.store);
      counters.add(guid, THREE);
      const flushed = counters.flush();
      await held.reached;
      held.fail(new Error('no'));
      await expect(flushed).rejects.toThrow('no');
      expect(known(counters, await row())).toEqual([3, 1]);
    });

    it('survive a process that is killed, with the time of the last log', async () => {
      const clock = new ManualClock(CLOCK);
      const killed = await countersOn(store, folder, clock);
      killed.add(guid, THREE);
      const lastLog = clock.nowMs();
      clock.advance({ seconds: 5 });
      killed.add(guid, { logs: 0, volume: 0, drops: 2, dropVolume: 9 });
      const next = await countersOn(store, folder, clock);
      expect(known(next, await row())).toEqual([3, 3]);
      expect(next.lastLogOf(guid)).toBe(lastLog);
      next.add(guid, THREE);
      const last = await countersOn(store, folder, clock);
      await last.flush();
      const written = { log_count: 6, log_volume: 60, drop_count: 4, drop_volume: 17 };
      expect(await row()).toMatchObject({ ...written, last_log_at: lastLog + 5000 });
      expect(countFiles()).toEqual([]);
      await last.flush();
      expect(await row()).toMatchObject(written);
    });

    it('are counted once where the process is killed between the commit and the removal of its file', async () => {
      const counters = await countersOn(store);
      counters.add(guid, THREE);
      const [file = ''] = countFiles();
      const kept = readFileSync(join(folder, file));
      await counters.flush();
      writeFileSync(join(folder, file), kept);
      counters.add(guid, THREE);
      const next = await countersOn(store);
      expect(known(next, await row())).toEqual([6, 2]);
      expect(countFiles()).toHaveLength(1);
      await next.flush();
      expect(await row()).toMatchObject({ log_count: 6, drop_count: 2 });
    });

    it('are counted once where the process is killed in the unit that writes them, or the unit fails', async () => {
      const held = heldStore();
      const counters = await countersOn(held.store);
      counters.add(guid, THREE);
      const flushed = counters.flush();
      await held.reached;
      counters.add(guid, THREE);
      const beside = await countersOn(store);
      expect(known(beside, await row())).toEqual([6, 2]);
      held.fail(new Error('no'));
      await expect(flushed).rejects.toThrow('no');
      await countersOn(store).then((next) => next.flush());
      expect(await row()).toMatchObject({ log_count: 6, drop_count: 2 });
    });

    it('of data folders of several nodes are counted apart', async () => {
      const folders = ['one', 'two'].map((node) => join(folder, node));
      for (const dataFolder of folders) {
        mkdirSync(dataFolder);
        (await countersOn(store, dataFolder)).add(guid, THREE);
      }
      for (const dataFolder of folders) await (await countersOn(store, dataFolder)).flush();
      expect(await row()).toMatchObject({ log_count: 6, drop_count: 2 });
    });

    it('leave out a line that a power failure has cut', async () => {
      (await countersOn(store)).add(guid, THREE);
      const [file = ''] = countFiles();
      appendFileSync(join(folder, file), `${guid} 5 50 0 0 17`);
      expect(known(await countersOn(store), await row())).toEqual([3, 1]);
    });
  });
}
