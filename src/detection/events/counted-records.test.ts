// The hashes of counted records in the store: kept as long as a window reaches back, and bounded for each rule.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import type { Value } from '#query/model/values.ts';
import { openStore, type Store } from '#store/store.ts';
import { createDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { countedRecords, keepCounted, recordHash, uncounted } from './counted-records.ts';

const DAY_MS = 86_400_000;

it('a record is known by its table, id and time, and a row without them is none', () => {
  const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
  const record = { _table: 'web', _id: 1n, _time: at(0), user: 'kim' };
  const hashOf = (fields: Readonly<Record<string, Value>>) => recordHash(new Map(Object.entries(fields)));
  expect(hashOf({ ...record, user: 'lee' })).toBe(hashOf(record));
  for (const other of [{ _table: 'mail' }, { _id: 2n }, { _time: at(1) }, { _node: 'two' }]) {
    expect(hashOf({ ...record, ...other })).not.toBe(hashOf(record));
  }
  expect(hashOf({ _table: 'web', count: 3n })).toBeUndefined();
  expect(hashOf({ _id: 3n })).toBeUndefined();
});

it('matches of known records, and of one record twice, are left out', () => {
  const matches = [1, 2, 2, undefined, undefined].map((record) => ({ fields: {}, time: 0, record }));
  expect(uncounted(matches, new Set([1])).map(({ record }) => record)).toEqual([2, undefined, undefined]);
});

for (const { name, skip } of databases) {
  describe.skipIf(skip)(`Counted records on ${name}`, () => {
    let folder: string;
    let store: Store;
    const rule = { guid: newGuid(), content: { duration: 3600 } };

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-counted-'));
      const location = name === 'sqlite' ? folder : await createDatabase(`r_${newGuid().replaceAll('-', '')}`);
      store = await openStore(location, { groupCommitted() {}, storeFailed() {} });
    });
    afterEach(async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const keep = (now: number, eventGuid: string, records: readonly number[]) =>
      store.write((db) => keepCounted(db, { rule, now }, [{ eventGuid, records }]));
    const sizeOf = async (eventGuid: string) =>
      (await store.read((db) => countedRecords(db, [eventGuid]))).get(eventGuid)?.length ?? 0;

    it('are read back whole, over several runs', async () => {
      const records = [0, 1, 2 ** 53 - 1];
      await keep(0, 'event', records);
      await keep(1, 'event', [7]);
      expect((await store.read((db) => countedRecords(db, ['event', 'other']))).get('event')).toEqual([...records, 7]);
    });

    it('are forgotten when no window reaches back to them', async () => {
      await keep(0, 'old', [1]);
      await keep(8 * DAY_MS, 'young', [2]);
      expect(await sizeOf('old')).toBe(1);
      await keep(9 * DAY_MS, 'newest', [3]);
      expect([await sizeOf('old'), await sizeOf('young')]).toEqual([0, 1]);
    });

    it('are bounded for each rule: the oldest are forgotten, and as many as a run may find are kept', async () => {
      const records = Array.from({ length: 50_000 }, (_, index) => index);
      for (let run = 0; run < 4; run += 1) await keep(run, `event ${run}`, records);
      expect(await sizeOf('event 0')).toBe(50_000);
      await keep(4, 'event 4', [1]);
      const sizes = await Promise.all([0, 1, 2, 3, 4].map((run) => sizeOf(`event ${run}`)));
      expect(sizes).toEqual([0, 0, 50_000, 50_000, 1]);
    });
  });
}
