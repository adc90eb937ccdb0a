import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSigningKey } from '#audit/chain/keys.ts';
import { openWitness } from '#audit/chain/witness.ts';
import { openTrail, type Trail } from '#audit/trail.ts';
import { newGuid } from '#kernel/guid.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { DERIVED_LOCK } from '#store/derived.ts';
import { openStore, type Store } from '#store/store.ts';
import { clusterOn } from '#test/support/cluster-on.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { databases } from '#test/support/service.ts';
import { AuditSearch } from './search.ts';
import { openTextIndex, type TextIndex } from './text-index.ts';

const ANY = { categories: undefined, actions: undefined, companies: undefined, from: undefined, to: undefined };
const PAGE = { offset: 0, limit: 10 };
const ENTRIES_PER_BLOCK = 64;

/** Without a block, so that a search reads every entry. */
const NO_INDEX: TextIndex = {
  find: async () => ({ total: 0, isExact: true, indexed: 0, ids: () => [] }),
  blocks: async () => [],
  fill: async () => undefined,
  lag: () => 0,
  close: async () => undefined,
};

const NAMES = [
  '김민수',
  '박서연 (민수)',
  'Zebra_Fish%',
  'ZEBRAFISH two',
  'Straße ΣΊΣΥΦΟΣ',
  '😀 of 👩‍👩‍👧',
  'a\\b\n"c"',
  'no-permission',
];
const nameOf = (n: number) => `${NAMES[n % NAMES.length]} ${n.toString(36)}${n % 7 === 0 ? ' 변경 요청' : ''}`;

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`The text index on ${name}`, () => {
    let folder: string;
    let location: string;
    let store: Store;
    let trail: Trail;
    let index: TextIndex;
    const failures: unknown[] = [];
    const failed = (error: unknown) => void failures.push(error);
    const record = (text: string) =>
      trail.record({
        user_name: text,
        remote_ip: '10.0.0.1',
        module: 'users',
        method: 'create',
        params: { name: text },
      });
    const recordMany = (from: number, to: number) =>
      Promise.all(Array.from({ length: to - from }, (_, at) => record(nameOf(from + at))));
    const open = () => {
      const head = () => trail.head;
      index = openTextIndex({ store, clock: systemClock, location, entriesPerBlock: ENTRIES_PER_BLOCK, head, failed });
    };
    const search = () => new AuditSearch(store, index);
    const reading = () => new AuditSearch(store, NO_INDEX);
    const totalOf = async (keyword: string) => (await search().find({ ...ANY, keywords: [keyword] }, PAGE)).total;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-index-'));
      const isFile = name === 'sqlite';
      location = isFile ? join(folder, 'data') : await createMetadataDatabase(`index_${newGuid().replaceAll('-', '')}`);
      store = await openStore(location, { groupCommitted() {}, storeFailed: failed });
      const witness = openWitness(join(folder, 'witness'));
      trail = await openTrail({
        store,
        cluster: await clusterOn(store),
        clock: systemClock,
        signingKey: openSigningKey(join(folder, 'keys')),
        witness,
      });
      open();
      await recordMany(0, 400);
      await index.fill();
      await recordMany(400, 430);
    });
    afterAll(async () => {
      await index.close();
      await trail.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
      expect(failures).toEqual([]);
    });

    it('finds the same entries as reading all of them, indexed or not', async () => {
      const all = await index.blocks();
      expect(all.map(({ after, to, entries }) => [after, to, entries])).toEqual(
        Array.from({ length: 6 }, (_, at) => [at * 64, (at + 1) * 64, 64]),
      );
      const folded = NAMES.flatMap((text) => [1, 2, 3, 4, 5, 7].map((length) => text.slice(1, 1 + length)));
      const numbers = [
        '4',
        '42',
        'ab',
        '1z',
        '민수 1',
        '수) 5',
        '요청',
        '청 요',
        '없음',
        'absent',
        '%',
        '_',
        '\\',
        '👩',
      ];
      for (const keyword of [...folded, ...numbers].filter((text) => text.isWellFormed())) {
        const wanted = { ...ANY, keywords: [keyword] };
        for (const page of [PAGE, { offset: 25, limit: 20 }, { offset: 0, limit: 500 }]) {
          expect(await search().find(wanted, page), keyword).toEqual(await reading().find(wanted, page));
        }
      }
      for (const keywords of [
        ['민수', '1'],
        ['zebra', 'fish', '2'],
        ['박', '연', '변경'],
        ['민수', 'create'],
      ]) {
        const wanted = { ...ANY, keywords };
        expect(await search().find(wanted, PAGE)).toEqual(await reading().find(wanted, PAGE));
        expect(await Array.fromAsync(search().walk(wanted, 420))).toEqual(
          await Array.fromAsync(reading().walk(wanted, 420)),
        );
      }
    });

    it('narrows and is narrowed by the other filters', async () => {
      const [oldest] = (await search().find({ ...ANY, keywords: ['민수'] }, { offset: 20, limit: 1 })).entries;
      const to = Temporal.Instant.fromEpochMilliseconds(oldest?.created_at ?? 0);
      for (const filter of [{ to }, { from: to }, { categories: ['Users'] }, { actions: ['remove'] }]) {
        const wanted = { ...ANY, keywords: ['민수'], ...filter };
        expect(await search().find(wanted, PAGE)).toEqual(await reading().find(wanted, PAGE));
      }
    });

    it('hides nothing that was acknowledged while it is filled, and does not stop the writer', async () => {
      await recordMany(1000, 2000);
      const filling = index.fill();
      const before = await totalOf('late');
      for (let n = 1; n <= 60; n += 1) {
        await record(`late ${n}`);
        expect(await totalOf('late')).toBe(before + n);
        expect((await search().find({ ...ANY, keywords: [] }, PAGE)).total).toBe(trail.head.id);
      }
      await filling;
      await index.fill();
      expect(index.lag()).toBe(0);
      expect(await totalOf('late')).toBe(before + 60);
    });

    it('is continued by the next process where one was stopped', async () => {
      const known = (await index.blocks()).length;
      await recordMany(3000, 3300);
      const stopped = index.fill();
      await index.close();
      await stopped;
      open();
      await index.fill();
      const blocks = await index.blocks();
      expect(blocks.length).toBeGreaterThanOrEqual(known + 4);
      expect(blocks.map(({ after }) => after)).toEqual(blocks.map((_, at) => at * ENTRIES_PER_BLOCK));
      expect(await totalOf('민수')).toBe((await reading().find({ ...ANY, keywords: ['민수'] }, PAGE)).total);
    });

    it('drops blocks of another database, and those behind them', async () => {
      const total = await totalOf('민수');
      await store.scanner.exec(`update audit_blocks set hash = 'of another' where after_id = 128`);
      await index.close();
      open();
      expect((await index.blocks()).map(({ after }) => after)).toEqual([0, 64]);
      expect(await totalOf('민수')).toBe(total);
      await index.fill();
      expect((await index.blocks()).length).toBeGreaterThan(10);
      expect(await totalOf('민수')).toBe(total);
    });

    it('is known to a second one that did not fill it', async () => {
      // Its clock stands still: it fills nothing of its own accord.
      const deps = {
        store,
        clock: new ManualClock('2024-03-01T00:00:00Z'),
        location,
        entriesPerBlock: ENTRIES_PER_BLOCK,
        failed,
      };
      const other = openTextIndex({ ...deps, head: () => trail.head });
      await other.blocks();
      await recordMany(0, ENTRIES_PER_BLOCK);
      await index.fill();
      await other.fill();
      expect(other.lag()).toBe(0);
      await other.close();
    });

    if (name === 'postgres') {
      it('is left alone, without a failure, while another node writes a block', async () => {
        const client = new pg.Client({ connectionString: location });
        await client.connect();
        await client.query(`begin; select pg_advisory_xact_lock(${DERIVED_LOCK})`);
        const before = (await index.blocks()).length;
        await recordMany(0, ENTRIES_PER_BLOCK);
        await index.fill();
        expect(await index.blocks()).toHaveLength(before);
        await client.end();
        await expect.poll(async () => (await index.blocks()).length).toBeGreaterThan(before);
      });
    }
  });
}
