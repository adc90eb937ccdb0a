// Names that an earlier version kept as they were given are compared in the form of today.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { isNameTaken } from './names.ts';
import { openStore, type Store } from './store.ts';

const DATED = { search: '', created_at: 1, updated_at: 1 };
const silent = { groupCommitted() {}, storeFailed() {} };
const COMPOSED = '한글';
const KEPT = { plain: 'plain', blanks: ' around ', decomposed: COMPOSED.normalize('NFD'), twin: COMPOSED };

describe.each(databases)('Names, on $name', ({ name, skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-names-'));
  let store: Store;

  beforeAll(async () => {
    if (skip) return;
    const url = name === 'postgres' ? await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) : folder;
    store = await openStore(url, silent);
    await store.write(async (db) => {
      for (const [guid, kept] of Object.entries(KEPT)) {
        const row = { guid, name: kept, description: null, ...DATED };
        await db.insertInto('rule_categories').values(row).execute();
      }
    });
  });
  afterAll(async () => {
    await store?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(skip).each([
    { it: 'that nobody has', wanted: 'other', taken: false },
    { it: 'that is kept as it is', wanted: 'plain', taken: true },
    { it: 'that is kept with blanks around it', wanted: 'around', taken: true },
    { it: 'that differs in case', wanted: 'Plain', taken: false },
    { it: 'of the row itself', wanted: 'plain', except: 'plain', taken: false },
    { it: 'of the row itself, kept otherwise', wanted: 'around', except: 'blanks', taken: false },
    { it: 'of the row itself that another one has, too', wanted: COMPOSED, except: 'decomposed', taken: false },
    { it: 'that two others have', wanted: COMPOSED, except: 'plain', taken: true },
  ])('are held against one $it', async ({ wanted, except, taken }) => {
    expect(await store.read((db) => isNameTaken(db, 'rule_categories', wanted, { except }))).toBe(taken);
  });
});
