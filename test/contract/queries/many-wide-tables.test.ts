// Queries over many tables with columns of their own: fields that have no column among the rows are read as those that have one.

import { beforeAll, describe, expect, it } from 'vitest';
import { ask, linesOf } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

/** Tables times columns are more than a scan has entries for, so that most columns are in the overflow of the rows. */
const TABLES = 60;
const OWN = 20;

type Fields = Readonly<Record<string, unknown>>;

/** Names that SQL and JSON write otherwise, and values that no column holds. */
const odd = (table: number): Fields => ({
  [`a"b'${table}`]: `it's "${table}"`,
  [`dotted.name\\${table}`]: table * 1.5,
  [`한글_${table}`]: table % 2 === 0 ? `값 ${table}` : table,
  [`nested_${table}`]: { b: null, c: [1, 'two', { d: true }] },
});

function fieldsOf(table: number, row: number): Fields {
  const own = Array.from({ length: OWN }, (_, index) => [
    `t${table}_c${index}`,
    index % 3 === 0 ? row : `v${row} of ${index}`,
  ]);
  const mixed = { [`mixed_${table}`]: [row, `text ${row}`, row + 0.5, row % 2 === 0][row % 4] };
  return {
    host: `h${row}`,
    ...Object.fromEntries(own),
    ...odd(table),
    ...mixed,
    ...(row === 3 ? { [`late_${table}`]: 'x' } : {}),
  };
}

const ROWS = [0, 1, 2, 3];

/** Records of several tables have the same time, and later tables newer records. */
const timeOf = (table: number, row: number) => Date.parse('2026-02-01T00:00:00Z') + (2 * row + (table % 5)) * 1000;

describe('Many tables with columns of their own', () => {
  const subject = serviceFor();
  const rowsOf = async (q: string): Promise<Fields[]> => {
    const answer = await ask(subject, { q });
    expect(answer.status, answer.text).toBe(200);
    return linesOf(answer);
  };
  const own = ({ _id, _time, _table, ...fields }: Fields) => fields;
  const sorted = (rows: readonly Fields[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

  const keysOf = (rows: readonly Fields[]) => rows.map(({ _table, host }) => `${_table} ${host}`);
  const inOrder = (sign: number) =>
    Array.from({ length: TABLES }, (_, table) => ROWS.map((row) => ({ table, row })))
      .flat()
      .sort(
        (one, other) =>
          sign * (timeOf(one.table, one.row) - timeOf(other.table, other.row)) ||
          (`w${one.table}` < `w${other.table}` ? -1 : 1),
      )
      .map(({ table, row }) => `w${table} h${row}`);

  async function expectFirstRows(): Promise<void> {
    for (const { order, sign, offset, limit } of [
      { order: 'desc', sign: -1, offset: 0, limit: 30 },
      { order: 'asc', sign: 1, offset: 7, limit: 5 },
      { order: 'asc', sign: 1, offset: 235, limit: 30 },
    ]) {
      const rows = await rowsOf(`table order=${order} offset=${offset} limit=${limit} *`);
      expect(keysOf(rows), `${order} ${offset} ${limit}`).toEqual(inOrder(sign).slice(offset, offset + limit));
      for (const row of rows) expect(Object.keys(row).length).toBeGreaterThan(OWN);
    }
    const within = 'from=20260201000003 to=20260201000007';
    const late = await rowsOf(`table ${within} * | limit 10`);
    const expected = inOrder(-1).filter((key) => {
      const [table = '', host = ''] = key.split(' ');
      const second = (timeOf(Number(table.slice(1)), Number(host.slice(1))) - timeOf(0, 0)) / 1000;
      return second >= 3 && second < 7;
    });
    expect(keysOf(late)).toEqual(expected.slice(0, 10));
  }

  beforeAll(async () => {
    for (let table = 0; table < TABLES; table += 1) {
      const layout = table === 7 ? '&layout=row' : '';
      const body = ROWS.map((row) => JSON.stringify({ _time: timeOf(table, row), ...fieldsOf(table, row) })).join('\n');
      const pushed = await subject.call('POST', `/api/core/tables/w${table}/logs?create=true${layout}`, {
        headers: { 'content-type': 'application/x-ndjson' },
        body,
      });
      expect(pushed.json, pushed.text).toMatchObject({ accepted: ROWS.length });
    }
  });

  it('give whole rows', async () => {
    const expected = Array.from({ length: TABLES }, (_, table) => ROWS.map((row) => fieldsOf(table, row))).flat();
    expect(sorted((await rowsOf('table *')).map(own))).toEqual(sorted(expected));
    expect((await rowsOf('table limit=5 *')).length).toBe(5);
  });

  it('give fields by their names', async () => {
    const read = async (q: string) => sorted((await rowsOf(q)).map(own));
    const some = (table: number, fields: readonly string[], rows = ROWS) =>
      sorted(
        rows.map((row) => {
          const all = fieldsOf(table, row);
          return Object.fromEntries(fields.map((name) => [name, all[name] ?? null]));
        }),
      );
    expect(await read('table * | search t5_c1 == "v2 of 1" | fields host, t5_c1, t5_c3')).toEqual(
      some(5, ['host', 't5_c1', 't5_c3'], [2]),
    );
    expect(await read('table * | search _table == "w9" | fields host, mixed_9')).toEqual(some(9, ['host', 'mixed_9']));
    expect(await read('table * | search isnotnull(late_11) | fields host, late_11')).toEqual(
      some(11, ['host', 'late_11'], [3]),
    );
    expect(await read(`table * | search field("a\\"b'4") == "it's \\"4\\"" | stats count`)).toEqual(
      sorted([{ count: ROWS.length }]),
    );
    expect(await read('table * | stats sum(t5_c0) as s, max(t59_c0) as m, count(late_3) as c')).toEqual(
      sorted([{ s: 6, m: 3, c: 1 }]),
    );
    expect(await read('table * | search isnotnull(mixed_8) | eval t = typeof(mixed_8) | stats count by t')).toEqual(
      sorted(['long', 'string', 'double', 'bool'].map((t) => ({ t, count: 1 }))),
    );
    expect(await read('table * | stats dc(field("한글_8")) as words, dc(field("한글_9")) as numbers')).toEqual(
      sorted([{ words: 1, numbers: 1 }]),
    );
  });

  it('give the first rows in their order', expectFirstRows);

  it('are searched for words of each field', async () => {
    const found = async (q: string) => (await rowsOf(q)).map((row) => [row._table, row.host]).sort();
    expect(await found('fulltext "x"')).toEqual(
      Array.from({ length: TABLES }, (_, table) => [`w${table}`, 'h3']).sort(),
    );
    expect(await found('fulltext "it\'s" and t12_c4 == "v1 of 4"')).toEqual([['w12', 'h1']]);
    expect(await found('fulltext "값 8"')).toEqual(ROWS.map((row) => ['w8', `h${row}`]));
    expect(await found('fulltext "nowhere"')).toEqual([]);
  });

  it('answer the same when the records are sealed', async () => {
    const before = await rowsOf('table * | sort _table, _id');
    const searched = await rowsOf('fulltext "x" | sort _table');
    await subject.service.restart();
    subject.clock.advance({ hours: 1 });
    expect(await rowsOf('table * | sort _table, _id')).toEqual(before);
    expect(await rowsOf('fulltext "x" | sort _table')).toEqual(searched);
    await expectFirstRows();
  });
});
