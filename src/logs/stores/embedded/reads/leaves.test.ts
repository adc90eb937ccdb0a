// Values inside of objects, which have columns of their own in segments, are what the same records give in one document: fresh,
// sealed, partly sealed, and merged.

import { expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { FiledBatches } from '#test/support/filed-batches.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

const VALUES = [
  ...['200', '"200"', '"x"', '500', '2.5', '" +7e1 "', '"1e400"', '0', '-3', 'true', '"true"', '""'],
  ...['null', '5.0', '5', '1e3', '9007199254740993', '1e400', '{}', '[]', '[1,"x"]', '{"d":1}', '"2026-11-15"'],
];

/** Some values are usual, most are in records of rare shapes. `others` are values of the field beside objects. */
const textsOf = (value: string, at: number, others: readonly string[]): string[] => [
  `{"k":{"v":${value},"w":{"deep":"g${at % 3}"}},"g":"g${at % 3}"}`,
  `{"k":{"w":{"deep":${value}},"v":"x"},"k.v":${at % 2 === 0 ? '"a field"' : at},"K":{"v":${at}}}`,
  ...(at % 4 === 0
    ? [`{"k":${others[at % others.length]},"tags":["a",${value}]}`, `{"k":{"V":${value},"v":"${at}"},"x":{"y":null}}`]
    : []),
];
const USUAL = [
  '{"k":{"v":7,"w":{"deep":"g1"}}}',
  '{"k":{"v":"x","w":{"deep":2}},"tags":["a"]}',
  '{"k":{"v":true},"K":{"v":"y"}}',
];

const recordsOf = (round: number, others: readonly string[]) => {
  const texts = [
    ...VALUES.flatMap((value, at) => textsOf(value, at, others)),
    ...Array.from({ length: 20 }, () => USUAL).flat(),
  ];
  return texts.map((text, at) => record(text, TIME + round * texts.length + at));
};

const V = 'valueof(k, "v")';
const DEEP = 'valueof(valueof(k, "w"), "deep")';
const CONDITIONS = [
  ...[`${V} >= 200`, `${V} == 200`, `${V} == 5`, `${V} == "x"`, `${V} != "x"`, `${V} == "2*"`, `${V} == true`, V],
  ...[`isnull(${V})`, `isnotnull(${DEEP})`, `isnum(${V})`, `isstr(${DEEP})`, `${V} == ${DEEP}`, `${V} < ${DEEP}`],
  ...[`in(${V}, 7, "x")`, `contains(${DEEP}, "g")`, `${DEEP} == "g1" and ${V} == 7`, 'isnotnull(valueof(k, "w"))'],
  ...['valueof(k, "V") == 500', 'valueof(K, "v") == "y"', 'field("k.v") == "a field"', `${V} == 9007199254740993`],
  ...[
    'valueof(tags, 1) == "x"',
    'valueof(tags, "1") == "x"',
    'tags == array("a")',
    'isnull(k)',
    'valueof(k, "nothing") == 1',
  ],
  ...[`${V} == "x" or isnotnull(x)`, 'isnotnull(valueof(x, "y"))', `not(${V} == "x")`],
];
const QUERIES = [
  ...CONDITIONS.map((condition) => `table order=asc t | search ${condition} | fields k, tags`),
  ...['count', 'min', 'max', 'dc', 'values', 'first'].map((name) => `table t | stats ${name}(${V}) as a`),
  ...['sum', 'avg'].map((name) => `table t | search ${V} < 1000 | stats ${name}(${V}) as a`),
  `table t | eval v = ${V} | stats count by v | sort v`,
  // Sums of numbers beyond 53 bits depend on the order in which they are added.
  `table t | eval d = ${DEEP} | search ${V} < 1000 | stats count, sum(${V}) as s by d | sort d`,
  `table t | eval v = ${V}, d = ${DEEP} | stats count by v, d | sort v, d`,
  `table order=asc t | eval v = ${V} | sort v | fields v, k`,
  `table order=asc t | eval v = ${V} | sort limit=4 -v | fields v`,
  `table order=asc t | eval t = typeof(${V}), s = string(${DEEP}), n = ${V} * 2 | fields t, s, n`,
  `table order=asc t | eval x = k | search valueof(x, "v") == 7 | limit 3 | fields x`,
  `table order=asc t | rename k as x | eval d = valueof(valueof(x, "w"), "deep") | fields d`,
  `table order=asc t | fields k | search ${V} == "x"`,
  `table order=asc t | limit 5 | search ${V} == 200 | fields k`,
  `table order=asc t | dedup k | search ${V} == "x" | fields k`,
  `table t | eventstats count by g | search ${V} == 7 | stats count`,
  `table order=asc t | search ${V} == 7 | union [ table order=asc t | search ${DEEP} == "g1" ] | stats count`,
  `table t | stats count by k | sort count, k`,
  'fulltext "g1" from t | stats count',
  'fulltext "deep" from t | stats count',
  'fulltext "200" from t | stats count',
  `fulltext "x" from t | search ${V} == "x" | stats count by g | sort g`,
  'fulltext "5" and "g2" from t | stats count',
];

/** Forms differ in how files are made, and a query is the same for all of them: few are asked of every one. */
const FEW = QUERIES.slice(0, 2);
const [ODD, EVEN] = [1, 0].map((rest) => QUERIES.filter((_, at) => at % 2 === rest));

it.each([
  {
    name: 'nothing but objects and lists',
    others: ['{}', 'null', '{"v":[1]}', '[5,6]', '[]', '["x",{"v":7}]'],
    dense: ODD,
  },
  { name: 'texts and numbers', others: ['"x"', '7', '[1]'], dense: EVEN },
])('Leaves of a field with $name give what the same records give as documents', async ({ others, dense = [] }) => {
  await using home = await makeEngineHome();
  const asColumns = await home.createTable({ name: 't', layout: 'columnar', compression: 'snappy' });
  const asDocuments = await home.createTable({ name: 'u', layout: 'row', compression: 'snappy' });
  const batches = new FiledBatches(asColumns);
  const append = async (round: number) => {
    const records = recordsOf(round, others);
    await batches.append(home.engine, records);
    await home.engine.append(asDocuments, records);
  };
  const rowsOf = async (spec: TableSpec, text: string) => (await queryOn(home.engine, [spec], text)).rows;
  const expected = new Map<string, unknown>();
  const expectSame = async (form: string, queries: readonly string[]) => {
    for (const text of queries) expect(await rowsOf(asColumns, text), `${form}: ${text}`).toEqual(expected.get(text));
  };
  for (const round of [0, 1, 2]) await append(round);
  await home.tick({ minutes: 6 });
  await append(3);
  for (const text of QUERIES)
    expected.set(text, await rowsOf(asDocuments, text.replaceAll(/\bt\b(?= \||$| \])/g, 'u')));
  await expectSame('partly sealed', QUERIES);
  await home.tick({ minutes: 6 });
  await expectSame('sealed', FEW);
  await home.tick({ minutes: 60 });
  await expectSame('merged', FEW);
  await home.tick({ hours: 32 * 24 });
  await expectSame('dense', dense);
  expect(batches.withLeaves).toBeGreaterThan(0);
  expect(home.failures).toEqual([]);
});
