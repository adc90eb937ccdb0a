import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { connectionOf } from '#store/kysely.ts';
import { openStore, type Store } from '#store/store.ts';
import { AuditSearch } from './search.ts';
import { openTextIndex, type TextIndex } from './text-index.ts';

const ENTRIES = 400;
const ANY = { keywords: [], categories: undefined, actions: undefined, companies: undefined };
const at = (second: number) => Temporal.Instant.fromEpochMilliseconds(second * 1000);

/** The clock of the machine went back once, and one entry in ten is of another module. */
const entries = Array.from({ length: ENTRIES }, (_, index) => ({
  id: index + 1,
  second: index < 300 ? index : index - 100,
  module: index % 10 === 0 ? 'companies' : 'users',
}));

describe('A page of the audit trail', () => {
  let folder: string;
  let store: Store;
  let index: TextIndex;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-search-'));
    store = await openStore(folder, { groupCommitted() {}, storeFailed() {} });
    index = openTextIndex({
      store,
      clock: systemClock,
      location: folder,
      entriesPerBlock: 64,
      head: () => ({ id: ENTRIES, hash: '', createdAt: 0 }),
      failed() {},
    });
    const columns = ['id', 'user_name', 'remote_ip', 'module', 'method', 'created_at', 'hash'];
    const rows = entries.map(({ id, second, module }) => {
      return [id, 'kim', '10.0.0.1', module, 'create', second * 1000, `${id}`];
    });
    await store.write((db) => connectionOf(db).insertMany('audit_entries', columns, rows));
    // Six blocks, and sixteen entries behind them.
    await index.fill();
    expect(index.lag()).toBe(0);
  });

  afterAll(async () => {
    await index.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['all entries', 0, 400, ['users', 'companies']],
    ['most entries', 10, 390, ['users', 'companies']],
    ['the time that passed twice', 200, 299, ['users', 'companies']],
    ['few entries', 100, 103, ['users', 'companies']],
    ['one entry in ten', 0, 400, ['companies']],
    ['no entry', 900, 901, ['users']],
  ])('of a window with %s has the newest of them, in their order', async (_, from, to, modules) => {
    const categories = modules.map((module) => (module === 'users' ? 'Users' : 'Companies'));
    const wanted = entries
      .filter(({ second, module }) => second >= from && second <= to && modules.includes(module))
      .map(({ id }) => id)
      .toReversed();
    for (const [offset, limit] of [
      [0, 3],
      [0, 400],
      [7, 20],
      [250, 40],
      [399, 1],
    ] as const) {
      const found = await new AuditSearch(store, index).find(
        { ...ANY, categories, from: at(from), to: at(to) },
        { offset, limit },
      );
      expect(found.total).toBe(wanted.length);
      expect(found.entries.map(({ id }) => id)).toEqual(wanted.slice(offset, offset + limit));
    }
  });
});
