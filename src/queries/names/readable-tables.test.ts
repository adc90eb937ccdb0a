import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '#access/caller.ts';
import type { LogStore } from '#logs/log-store.ts';
import { type CheckedQuery, checkQuery } from '#query/query.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { ReadableTables } from './readable-tables.ts';

const ADMIN: Caller = {
  userGuid: '00000000-0000-0000-0000-000000000001',
  login: 'admin',
  name: 'admin',
  companyGuid: '00000000-0000-0000-0000-000000000002',
  role: 'ADMIN',
  locale: 'en',
  idleTimeout: Temporal.Duration.from({ seconds: 3600 }),
  keyGuid: '00000000-0000-0000-0000-000000000003',
  keyScope: 'all',
  keySession: 0,
};
const MEMBER: Caller = { ...ADMIN, role: 'MEMBER', login: 'member' };

describe('The tables that a text may name', () => {
  let home: DuckdbHome;
  beforeAll(async () => {
    home = await makeEngineHome();
    for (const name of ['web', 'other', 'third']) {
      await home.createTable({ name, layout: 'columnar', compression: 'snappy' });
    }
  });
  afterAll(() => home[Symbol.asyncDispose]());

  /** Checks a text, and tells which tables had to be described for it. */
  async function checked(text: string, caller = ADMIN): Promise<{ made: CheckedQuery | string; described: string[] }> {
    const described: string[] = [];
    const describe: LogStore['describe'] = async ({ name }) => {
      described.push(name);
      return { name, columns: [{ name: 'a', type: 'long' }], isOpen: false };
    };
    const tables = new ReadableTables({ store: home.store, engine: { ...home.engine, describe } }, caller);
    const made = await tables
      .planWithTables((readable, writable) =>
        checkQuery(text, { ...contextOf({}), tables: readable, writableTables: writable }),
      )
      .catch((error) => String(error.message));
    return { made, described: described.toSorted() };
  }

  it.each([
    ['table web', ['web']],
    ['table web, other | union [ table web ]', ['other', 'web']],
    ['table none?', []],
    ['json "{}" | import third', ['third']],
    ['table web*', ['other', 'third', 'web']],
    ['fulltext "x"', ['other', 'third', 'web']],
  ])('are looked up when it names them: %s', async (text, names) => {
    const { made, described } = await checked(text);
    expect(made).toMatchObject({ normalized: text });
    expect(described).toEqual(names);
  });

  it('are not described where a name is only suggested', async () => {
    const { made, described } = await checked('table wev');
    expect(made).toBe('there is no table wev');
    expect(described).toEqual([]);
  });

  it.each([
    ['table web', 'there is no table web'],
    ['json "{}" | import web', 'there is no table web'],
  ])('are not there for a caller without a grant: %s', async (text, message) => {
    expect(await checked(text, MEMBER)).toEqual({ made: message, described: [] });
  });

  it('may be read and not written with a grant to read', async () => {
    const [web] = await home.store.reader.all("select id from log_tables where name = 'web'");
    const grant = { table_id: Number(web?.id), holder_kind: 'user' as const, holder_guid: MEMBER.userGuid };
    await home.store.write((db) =>
      db
        .insertInto('table_grants')
        .values({ ...grant, read_only: 1, created_at: 1 })
        .execute(),
    );
    expect(await checked('table *', MEMBER)).toMatchObject({ made: { normalized: 'table *' }, described: ['web'] });
    expect((await checked('table web | import web', MEMBER)).made).toBe('no right to write table web');
    await home.store.write((db) => db.updateTable('table_grants').set({ read_only: 0 }).execute());
    expect((await checked('table web | import web', MEMBER)).made).toMatchObject({});
  });
});
