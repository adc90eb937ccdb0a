// Names that an earlier version kept as they were given are compared in the form of today, and no others.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { normalizeName } from '#kernel/text/names.ts';
import { connectionOf } from '#store/kysely.ts';
import { BLANKS, COMPOSED, mayBeInOtherForm } from '#store/migrations/0050-other-forms.ts';
import { openStore, type Store } from '#store/store.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { databases } from '#test/support/service.ts';
import { sourcesIn } from '#test/support/sources.ts';
import { isNameTaken, namesLike } from './names.ts';

const DATED = { search: '', created_at: 1, updated_at: 1 };
const silent = { groupCommitted() {}, storeFailed() {} };
const KOREAN = '한글';
const KEPT = {
  plain: 'plain',
  blanks: ' around ',
  others: '\t\u3000other blanks\ufeff',
  decomposed: KOREAN.normalize('NFD'),
  twin: KOREAN,
};

/** Of rows of tables whose names are many, beside guid, name and dates. */
const COLUMNS = {
  ticket_repos: {},
  dashboards: { owner_guid: 'one', layout: '{}' },
  rules: {
    kind: 'stream',
    enabled: 1,
    priority: 'HIGH',
    version: 1,
    snapshot: '{}',
    scheduled_since: 1,
    user_guid: '',
    user_name: '',
    company_guid: 'one',
  },
};

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
    { it: 'that is kept with other blanks around it', wanted: 'other blanks', taken: true },
    { it: 'that differs in case', wanted: 'Plain', taken: false },
    { it: 'of the row itself', wanted: 'plain', except: 'plain', taken: false },
    { it: 'of the row itself, kept otherwise', wanted: 'around', except: 'blanks', taken: false },
    { it: 'of the row itself that another one has, too', wanted: KOREAN, except: 'decomposed', taken: false },
    { it: 'that two others have', wanted: KOREAN, except: 'plain', taken: true },
  ])('are held against one $it', async ({ wanted, except, taken }) => {
    expect(await store.read((db) => isNameTaken(db, 'rule_categories', wanted, { except }))).toBe(taken);
  });

  /** The steps by which the database finds rows that may have a name. */
  const stepsOf = async (table: Parameters<typeof namesLike>[0], within: Readonly<Record<string, string>> = {}) => {
    const { sql, values } = namesLike(table, '새 이름', { dialect: name, within });
    const explain = name === 'postgres' ? 'explain' : 'explain query plan';
    const plan = await store.write((db) => connectionOf(db).all(`${explain} ${sql}`, values));
    return plan.flatMap((row) => Object.values(row).map(String)).join('\n');
  };

  it.skipIf(skip).each([
    { table: 'ticket_repos', within: {} },
    { table: 'rules', within: { kind: 'stream' } },
    { table: 'dashboards', within: { owner_guid: 'one' } },
  ] as const)('are held against a few of many in $table: no other name is read', async ({ table, within }) => {
    const rest = { ...COLUMNS[table], search: '', created_at: 1, updated_at: 1 };
    const many = Array.from({ length: 2000 }, (_, at) => [newGuid(), `이름 ${at}`, ...Object.values(rest)]);
    await store.write(async (db) => {
      await connectionOf(db).insertMany(table, ['guid', 'name', ...Object.keys(rest)], many);
      await connectionOf(db).exec('analyze');
    });
    const steps = await stepsOf(table, within);
    expect(steps).toContain(`${table}_other_forms`);
    expect(steps).not.toMatch(/Seq Scan|SCAN \w+\s*$/m);
    // One read by name and one of the index of other forms: none by the scope alone.
    expect(steps.match(/SEARCH|SCAN|Index (Only )?Scan|Bitmap Index Scan/g)).toHaveLength(2);
    expect(steps).not.toMatch(/\((kind|owner_guid)=\?\)/);
    expect(await store.read((db) => isNameTaken(db, table, '이름 1999', { within }))).toBe(true);
  });

  it.skipIf(skip)('are in the index of other forms where their form differs, and hardly elsewhere', async () => {
    const names = ['한글 이름', 'Überprüfung', '漢字かなカナー', 'Русский', ...Object.values(KEPT)];
    const sql = `select name from (select ? as name) as given where ${mayBeInOtherForm(name)}`;
    const found: string[] = [];
    for (const one of names) if ((await store.reader.all(sql, [one])).length > 0) found.push(one);
    expect(found).toEqual(names.filter((one) => normalizeName(one) !== one));
  });

  it.skipIf(skip)('have the index in each table whose names are compared', async () => {
    const sql =
      name === 'postgres'
        ? "select tablename as name from pg_indexes where indexname like '%_other_forms'"
        : "select tbl_name as name from sqlite_master where type = 'index' and name like '%_other_forms'";
    const indexed = (await store.reader.all(sql)).map((row) => String(row.name));
    expect(indexed.toSorted()).toEqual(comparedTables().toSorted());
  });
});

it('Characters that are taken for composed are, wherever they stand', () => {
  const ranges = [...COMPOSED.matchAll(/(.)-(.)/gu)].map(([, from = '', to = '']) => [from, to].map(codeOf));
  const characters = ranges.flatMap(([from = 0, to = 0]) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)),
  );
  // A character that joins the one ahead of it, or changes places with it, is a mark or a letter of a Korean syllable.
  const isAlone = (one: string) => one.normalize('NFC') === one && !/[\p{M}\u1100-\u11ff]/u.test(one);
  expect(characters.filter((one) => !isAlone(one))).toEqual([]);
});

it('Blanks are those that are taken away from a name', () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  expect(all.filter((one) => one.trim() === '').join('')).toBe(BLANKS);
});

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/** Of families, and of operations that compare names themselves. */
function comparedTables(): string[] {
  const tablesIn = (pattern: string, named: RegExp) =>
    sourcesIn(pattern).flatMap(({ text }) => [...text.matchAll(named)].map(([, table = '']) => table));
  const families = tablesIn('src/resources/*/family.ts', /^ {2}table: '([a-z_]+)'/gm);
  return [...new Set([...families, ...tablesIn('src/**/!(*.test).ts', /isNameTaken\(db, '([a-z_]+)'/g)])];
}
