import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { type Reference, resolveReferences } from './resolve.ts';

const DATED = { search: '', created_at: 1, updated_at: 1 };
const silent = { groupCommitted() {}, storeFailed() {} };

describe.each(databases)('Many references, on $name', ({ name, skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-resolve-'));
  let store: Store;

  beforeAll(async () => {
    if (skip) return;
    const url = name === 'postgres' ? await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) : folder;
    store = await openStore(url, silent);
    await store.write(async (db) => {
      for (let at = 0; at < 600; at += 1) {
        const row = { guid: `category-${at}`, name: `Category ${at}`, description: null, ...DATED };
        await db.insertInto('rule_categories').values(row).execute();
      }
      await db
        .insertInto('log_schemas')
        .values({ code: 'web', name: 'Web', name_trans: null, description: null, fields: '[]', ...DATED })
        .execute();
    });
  });
  afterAll(async () => {
    await store?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(skip)('are resolved at once, whatever they refer to', async () => {
    const wanted: Reference[] = [
      { thing: 'user', key: 'nobody' },
      { thing: 'log schema', key: 'web' },
      { thing: 'rule category', key: 'category-7' },
      { thing: 'audit category', key: 'category-7' },
      { thing: 'user', key: 'nobody' },
      { thing: 'table', key: 'none' },
    ];
    const found = await store.read((db) => resolveReferences(db, wanted));
    expect(wanted.map((one) => found.nameOf(one))).toEqual([
      undefined,
      'Web',
      'Category 7',
      undefined,
      undefined,
      undefined,
    ]);
    expect(found.missing).toEqual([wanted[0], wanted[3], wanted[5]]);
  });

  it.skipIf(skip)('may be more than one statement takes', async () => {
    const wanted = Array.from({ length: 601 }, (_, at) => ({ thing: 'rule category', key: `category-${at}` }) as const);
    const found = await store.read((db) => resolveReferences(db, wanted));
    expect(found.missing).toEqual([{ thing: 'rule category', key: 'category-600' }]);
    expect(found.nameOf({ thing: 'rule category', key: 'category-599' })).toBe('Category 599');
  });

  it.skipIf(skip)('may be none', async () => {
    expect((await store.read((db) => resolveReferences(db, []))).missing).toEqual([]);
  });
});
