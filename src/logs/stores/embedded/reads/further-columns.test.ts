// Fields with a column for each type are what the same records are in one document: fresh, sealed, and beside objects and
// numbers that no column holds.

import { describe, expect, it } from 'vitest';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

const VALUES = [
  ...['200', '"200"', '"x"', '500', '"503"', '2.5', '" +7e1 "', '"-0"', '"1e400"', '"2.0"', '0', '-3'],
  ...['true', '"true"', 'false', '""', '"_x"', '"2026-11-15"', '"NaN"', '"1_000"', '".5"', 'null'],
];
const UNUSUAL = ['{"a":1}', '[1,"x"]', '9007199254740993', '1e400', '{}'];

const recordsOf = (values: readonly string[]) =>
  values.flatMap((value, at) => {
    const other = values[(at * 5 + 3) % values.length];
    return [
      record(`{"v":${value},"w":${other},"g":"g${at % 3}"}`, TIME + 2 * at),
      record(`{"w":${value}}`, TIME + 2 * at + 1),
    ];
  });

const CONDITIONS = [
  ...[
    'v >= 200',
    'v < 3',
    '500 <= v',
    'v == 200',
    'v != 200',
    'v == "200"',
    'v == "x"',
    'v != "x"',
    'v == "2*"',
    'v > "a"',
  ],
  ...[
    'v == true',
    'v',
    'not(v)',
    'not(v >= 200)',
    'v == w',
    'v < w',
    'isnull(v)',
    'isnotnull(v)',
    'isnum(v)',
    'isstr(v)',
  ],
  ...['in(v, 200, "x", true)', 'eqi(v, "X")', 'contains(v, "0")', 'match(v, "^[0-9]+$")', 'v == date("2026-11-15")'],
  ...['v >= 200 and w == "x" or g == "g1"', 'v == 9007199254740993', 'v == 2.5', 'isnull(v + 1)', 'v == null'],
];
const AGGREGATES = [
  ...[
    'count(v)',
    'sum(v)',
    'avg(v)',
    'min(v)',
    'max(v)',
    'dc(v)',
    'median(v)',
    'percentile(v, 90, "higher")',
    'values(v)',
  ],
  ...['stddev(v)', 'corr(v, w)', 'first(v)', 'last(w)'],
];
const QUERIES = [
  ...CONDITIONS.map((condition) => `table order=asc t | search ${condition} | fields v, w`),
  ...AGGREGATES.flatMap((call) => [`table t | stats ${call} as a`, `table t | stats ${call} as a by g | sort g`]),
  'table t | stats count by v | sort v',
  'table t | stats count, sum(w) as s by v, g | sort v, g',
  'table order=asc t | sort v | fields v',
  'table order=asc t | sort -v, w | fields v, w',
  'table order=asc t | sort limit=3 v by g | fields v, g',
  'table order=asc t | eval k = typeof(v), s = string(v), n = v * 2, l = long(v), d = double(v) | fields k, s, n, l, d',
  'table order=asc t | rename v as x | search x >= 200 | limit 3 | fields x',
  'table order=asc t | eval x = v | search x >= 200 | sort x | fields x',
  'table order=asc t | dedup v | fields v',
  'table order=asc t | union [ table order=asc t | search v == 200 ] | stats count by v | sort v',
  'fulltext "200" from t | stats count',
  'fulltext v >= 200 and "x" from t | stats count by v | sort v',
  'table t | top 3 v',
  'table t | eventstats sum(v) as s by g | stats max(s) as m',
];

describe.each([
  { name: 'of scalar values', values: VALUES },
  { name: 'beside values that no column holds', values: [...VALUES, ...UNUSUAL] },
])('Fields of several types $name', ({ values }) => {
  it('give what the same records give as documents', async () => {
    await using home = await makeEngineHome();
    const asColumns = await home.createTable({ name: 't', layout: 'columnar', compression: 'snappy' });
    const asDocuments = await home.createTable({ name: 'u', layout: 'row', compression: 'snappy' });
    for (const table of [asColumns, asDocuments]) await home.engine.append(table, recordsOf(values));
    for (const isSealed of [false, true]) {
      if (isSealed) await home.tick({ minutes: 6 });
      for (const text of QUERIES) {
        const rows = (await queryOn(home.engine, [asColumns], text)).rows;
        const expected = await queryOn(home.engine, [asDocuments], text.replaceAll(/\bt\b(?= \||$| \])/g, 'u'));
        expect({ text, isSealed, rows }).toEqual({ text, isSealed, rows: expected.rows });
      }
    }
  });
});
