// Sources that several nodes watch on one database: one that was told nothing knows what is written.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeNumbers, OWN_NUMBERS, type SharedNumbers } from '#cluster/numbers.ts';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { busesOf } from '#test/support/cluster-on.ts';
import { createDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases } from '#test/support/service.ts';
import { SilentSources } from './silent-sources.ts';

const EXPECT_EVERY = 10;

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`A source that several nodes watch, on ${name}`, () => {
    let folder: string;
    let store: Store;
    let clock: ManualClock;
    let opened: SilentSources[];
    const guid = newGuid();
    const told: string[] = [];

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-silence-'));
      const location = name === 'sqlite' ? folder : await createDatabase(`c_${newGuid().replaceAll('-', '')}`);
      store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
      clock = new ManualClock('2024-03-01T00:00:00Z');
      opened = [];
      told.length = 0;
      const counts = { log_count: 0, log_volume: 0, drop_count: 0, drop_volume: 0 };
      const references = { model_guid: newGuid(), table_name: 'web', group_guid: null, node: '*', enabled: 1 };
      const named = { guid, name: 'web', description: null, search: 'web' };
      const times = { created_at: clock.nowMs(), updated_at: clock.nowMs(), expect_every: EXPECT_EVERY };
      await store.write((db) =>
        db
          .insertInto('loggers')
          .values({ ...named, ...references, ...counts, ...times })
          .execute(),
      );
    });
    afterEach(async () => {
      for (const sources of opened) await sources.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** A node, and the moments at which it has taken logs in. */
    async function openNode(node: string, numbers: SharedNumbers = OWN_NUMBERS) {
      const arrived: { last?: number } = {};
      const sources = new SilentSources({
        store,
        clock,
        numbers,
        zone: 'UTC',
        group: '',
        lastLogOf: () => arrived.last,
        lastRecordOf: () => undefined,
        wake() {},
        changed: (_, reason) => void told.push(`${node}: ${reason ?? 'works'}`),
        failed(error) {
          throw error;
        },
      });
      await sources.open();
      opened.push(sources);
      const log = () => {
        arrived.last = clock.nowMs();
        numbers.raise('arrivals', `logger ${guid}`, clock.nowMs());
      };
      return { sources, log, silentSince: () => sources.silentSince('logger', guid) };
    }

    async function pass(seconds: number, each = (_second: number) => {}) {
      for (let second = 0; second < seconds; second += 1) {
        each(second);
        await clock.pass({ seconds: 1 });
      }
    }

    it('is not silent for a node that is not told of the records which another one takes in', async () => {
      const taking = await openNode('taking');
      const untold = await openNode('untold');
      await pass(100, (second) => {
        if (second % 4 === 0) taking.log();
      });
      expect([told, taking.silentSince(), untold.silentSince()]).toEqual([[], undefined, undefined]);
      const last = clock.nowMs() - 4000;
      await pass(6);
      expect(told).toEqual([]);
      await pass(1);
      expect(told).toHaveLength(1);
      expect(told[0]).toMatch(/: silent$/);
      expect([taking.silentSince(), untold.silentSince()]).toEqual([last, last]);
    });

    it('is no longer silent for such a node within half a minute', async () => {
      const taking = await openNode('taking');
      const untold = await openNode('untold');
      await pass(EXPECT_EVERY + 1);
      expect(taking.silentSince()).toBe(untold.silentSince());
      expect(untold.silentSince()).not.toBe(undefined);
      await pass(35, () => taking.log());
      expect([taking.silentSince(), untold.silentSince()]).toEqual([undefined, undefined]);
      expect(told.slice(1)).toEqual(['taking: works']);
    });

    it('is no longer failing where it is disabled by a node that had not found it silent', async () => {
      await openNode('finding');
      await pass(EXPECT_EVERY);
      const { sources } = await openNode('disabling');
      await pass(1);
      expect(told).toEqual(['finding: silent']);
      await store.write((db) => db.updateTable('loggers').set({ enabled: 0 }).where('guid', '=', guid).execute());
      await sources.changed();
      expect(told).toEqual(['finding: silent', 'disabling: works']);
    });

    it('is silent since the same moment on all that are told', async () => {
      const nodes = busesOf(2).map((bus) => new NodeNumbers({ clock, bus }));
      const one = await openNode('one', nodes[0]);
      const two = await openNode('two', nodes[1]);
      await pass(3);
      one.log();
      const last = clock.nowMs();
      await pass(EXPECT_EVERY);
      expect([one.silentSince(), two.silentSince()]).toEqual([undefined, undefined]);
      await pass(1);
      expect([one.silentSince(), two.silentSince()]).toEqual([last, last]);
      two.log();
      await pass(2);
      expect([one.silentSince(), two.silentSince()]).toEqual([undefined, undefined]);
    });
  });
}
