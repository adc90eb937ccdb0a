// Facets of a table, compared with the queries that count the same values one field at a time.

import { describe, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { endAll, fillMany, listed, QUERIES } from '#test/support/queries.ts';
import { seal } from '#test/support/segments.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const RANGE = { from: '2024-02-01 00:00:00+0000', to: '2024-03-02 00:00:00+0000' };
const LONG = '긴'.repeat(2000);

/** Late records, fields of several types, nulls, absent fields, Korean, lists, texts that look like numbers. */
const RECORDS: readonly Readonly<Record<string, unknown>>[] = [
  { status: 500, host: 'a', mixed: 1, deep: { a: 1 }, note: null },
  { status: 200, host: '서울', mixed: '1', list: [1, 2], big: 9007199254740993n },
  { status: 200, host: 'a', mixed: 1.5, list: [1, 2], flag: true },
  { status: 200, host: 'b', mixed: true, long: LONG, flag: false, 'a,b': 'x' },
  { host: 'b', mixed: 1.0, deep: { a: 1 }, flag: true, ratio: 0.5 },
  { status: 404, host: '', mixed: 'x"\\\n', long: 'short', ratio: -0.5, _time: '2024-02-10 00:00:00+0000' },
];

const lines = (records: readonly object[]): string =>
  records
    .map((record) =>
      JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? JSON.rawJSON(`${value}`) : value)),
    )
    .join('\n');

interface Facet {
  readonly field: string;
  readonly count: number;
  readonly distinct: number;
  readonly values: readonly { readonly value: unknown; readonly count: number }[];
}

describe('Facets', () => {
  const subject = serviceFor();
  const { call } = subject;
  const ask = (table: string, json: object, options = {}) =>
    call('POST', `/api/core/tables/${table}/facets`, { json: { ...RANGE, ...json }, ...options });
  const facets = async (table: string, json: object) => {
    const { status, json: answer, text } = await ask(table, json);
    if (status !== 200) throw new Error(text);
    return answer;
  };

  /** The same by `stats`, a query for each field. */
  async function expectCounted(table: string, { q, fields }: { q?: string; fields: readonly string[] }): Promise<void> {
    const found = await facets(table, { fields, limit: 100, ...(q ? { q } : {}) });
    const text = `table from=20240201 to=20240302 ${table}${q ? ` | ${q}` : ''}`;
    expect(found.is_partial).toBe(false);
    expect(found.rows).toBe((await rowsOf(subject, `${text} | stats count`))[0]?.count);
    expect(found.facets.map(({ field }: Facet) => field)).toEqual(fields);
    for (const { field, count, distinct, values } of found.facets) {
      const name = `field(${JSON.stringify(field)})`;
      const rows = (await rowsOf(subject, `${text} | stats count as facet_rows by ${name}`)).filter(
        (row) => field in row,
      );
      expect([field, distinct]).toEqual([field, rows.length]);
      expect([field, count]).toEqual([field, rows.reduce((total, row) => total + row.facet_rows, 0)]);
      const short = rows.filter((row) => JSON.stringify(row[field]).length <= 2000);
      const expected = short.map((row) => ({ value: row[field], count: row.facet_rows }));
      expect(values).toEqual(expected.sort((one, other) => other.count - one.count));
    }
  }

  const FIELDS = ['status', 'host', 'mixed', 'deep', 'list', 'big', 'flag', 'ratio', 'long', 'note', 'a,b', 'none'];

  it('are those of fresh and sealed records alike, whatever the types of their values', async () => {
    for (const [table, storage] of [
      ['web', {}],
      ['rows', { layout: 'row' }],
    ] as const) {
      const logger = await createLogger(subject, { table, storage });
      await push(subject, logger, { body: lines(RECORDS) });
      await expectCounted(table, { fields: FIELDS });
      await seal(subject, table);
      await push(subject, logger, { body: lines(RECORDS.slice(2)) });
      await expectCounted(table, { fields: FIELDS });
      await expectCounted(table, {
        fields: ['_table', 'line', 'status'],
        q: 'search host == "b" | eval line = concat(host, "!")',
      });
    }
  });

  it('of no named fields are those of the fields that the table is known to have', async () => {
    const { rows, facets: all } = await facets('web', { q: 'drop' });
    expect(rows).toBe(0);
    expect(all.map(({ field }: Facet) => field).sort()).toEqual(FIELDS.filter((field) => field !== 'none').sort());
    expect(all).toContainEqual({ field: 'host', count: 0, distinct: 0, values: [] });
    const { facets: renamed } = await facets('web', { q: 'rename host as server | fields server, status', limit: 1 });
    expect(renamed.map(({ field }: Facet) => field)).toEqual(['server', 'status']);
    expect(renamed[1]).toEqual({ field: 'status', count: 8, distinct: 3, values: [{ value: 200, count: 5 }] });
  });

  it('keep to their range, and to the digits of whole numbers', async () => {
    const early = { from: '2024-02-10 00:00:00+0000', to: '2024-02-10 00:00:01+0000' };
    expect((await facets('web', { ...early, fields: 'status' })).rows).toBe(2);
    expect((await facets('web', { ...early, to: early.from })).rows).toBe(0);
    expect((await ask('web', { fields: 'big' })).text).toContain('"value":9007199254740993,');
    // In the query string, as a form: the same.
    const path = `/api/core/tables/web/facets?${new URLSearchParams({ ...RANGE, fields: 'host', limit: '1' })}`;
    const { facets: some } = (await call('POST', path)).json;
    expect(some[0].values).toEqual([{ value: 'b', count: 4 }]);
  });

  it('leave an entry in the audit trail, with the text, and are queries of the account', async () => {
    const [entry, ...others] = await entriesOf(subject, () => facets('web', { q: 'search status == 500' }));
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ module: 'tables', method: 'facets', action: 'Read facets', result: 'Success' });
    expect(entry.params).toMatchObject({ table: 'web', ...RANGE, q: 'search status == 500' });
    const query = await listed(subject, entry.msg_params.query_id);
    expect(query).toMatchObject({ query_string: 'table web | search status == 500', is_finished: true });
    expect(query.commands.map(({ push_count }: { push_count: number }) => push_count).slice(0, 2)).toEqual([10, 1]);
  });

  it('are read of granted tables alone', async () => {
    const member: Account = await createAccount(subject, 'MEMBER', { login: 'reader' });
    const { key } = member;
    const absent = refused(500, 'illegal-state', 'table not found: web');
    expect(outcome(await ask('web', {}, { key }))).toEqual(absent);
    await call('PUT', '/api/core/tables/web', { json: { shared_users: [member.guid] } });
    expect((await ask('web', {}, { key })).json.rows).toBe(10);
  });
});

const invalid = (message: string) => refused(400, 'invalid-argument', message);

describe('Facets of one call', () => {
  const subject = serviceFor();
  const { call, clock } = subject;
  const ask = (json: object) => call('POST', '/api/core/tables/many/facets', { json });

  it.each([
    [{}, refused(400, 'null-argument', 'from should be not null')],
    [{ from: RANGE.from }, refused(400, 'null-argument', 'to should be not null')],
    [{ from: '2024', to: RANGE.to }, invalid('invalid date format')],
    [{ from: RANGE.to, to: RANGE.from }, invalid('date range is unacceptable.')],
    [
      { ...RANGE, fields: Array.from({ length: 51 }, (_, at) => `f${at}`) },
      invalid("'fields' must be less than or equal to 50 items."),
    ],
    [{ ...RANGE, limit: 0 }, invalid("'limit' must be greater than or equal to 1.")],
    [{ ...RANGE, limit: 101 }, invalid("'limit' must be less than or equal to 100.")],
    [RANGE, refused(500, 'illegal-state', 'table not found: many')],
  ])('are refused with %j', async (json, complaint) => {
    expect(outcome(await ask(json))).toEqual(complaint);
  });

  it.each([
    ['stats count', '(92002) stats is not allowed here at 1:14'],
    ['search n == 1 | import other', '(92002) import is not allowed here at 1:30'],
    ['table many', '(92002) table is not allowed here at 1:14'],
    ['search n ==', '(90200) expected: expression at 1:25'],
    ['search n == 1 ] | stats count', '(9'],
  ])('take commands that look at one record each: not %s', async (q, message) => {
    await call('POST', '/api/core/tables', { form: { table: 'many' } });
    const { status, json } = await ask({ ...RANGE, q });
    expect([status, json.error_code]).toEqual([400, 'invalid-query']);
    expect(json.error_msg).toContain(message);
  });

  it('that take too long are those of some of the records', async () => {
    await call('DELETE', '/api/core/tables/many');
    await fillMany(subject, { count: 100 });
    const entries = entriesOf(subject, async () => {
      const asked = ask({ ...RANGE, q: 'repeat count=1000000000', fields: 'k', limit: 1 });
      await expect.poll(async () => (await call('GET', `${QUERIES}?is_finished=false`)).json.queries).not.toEqual([]);
      clock.advance({ seconds: 22 });
      const { rows, is_partial, facets } = (await asked).json;
      expect([rows, is_partial]).toEqual([50_000, true]);
      expect(facets).toMatchObject([{ field: 'k', count: 50_000 }]);
    });
    expect(await entries).toHaveLength(1);
    await endAll(subject);
  });
});
