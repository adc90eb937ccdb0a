// What stages count, and names and texts as data. Generated pipelines are in test/differential.

import { describe, expect, it } from 'vitest';
import { quoted } from '#query/language/strings.ts';
import type { Value } from '#query/model/values.ts';
import { QueryRunner } from '#test/support/query-runner.ts';
import { resultText } from '#test/support/result-rows.ts';

describe('Stages', () => {
  const ROWS = [
    { _time: '@2026-11-15 09:10:00+0900', at: '@2026-11-15 09:10:00+0900', k: 'x' },
    { _time: '@2026-11-15 09:10:00+0900', at: null, k: 'y' },
    { _time: '@2026-11-15 09:10:00+0900', at: '@0001-01-01 12:00:00+0000', k: 'z' },
    { _time: '@2026-11-15 09:10:00+0900', at: '@2026-11-15 12:10:00+0900', k: 'x' },
  ];
  const CHARTED = 'table t | eval _time = at';

  it.each([
    ['table t | stats count by k', 3n, 4n],
    ['table t | stats count', 1n, 4n],
    ['table t | drop | stats count', 1n, 0n],
    ['table t | drop | stats count by k', 0n, 0n],
    ['table t | top 1 k', 1n, 4n],
    ['table t | rare 1 k by at', 4n, 4n],
    ['table t | drop | pivot count cols k', 0n, 0n],
    ['table t | pivot count rows k cols at', 3n, 4n],
    [`${CHARTED} | timechart span=1h count`, 3n, 4n],
    [`${CHARTED} | search k == "x" | timechart cont=t span=1h count by k`, 4n, 2n],
    [`${CHARTED} | search k != "z" | timechart cont=t span=1h fill=0 limit=1 count by k`, 4n, 3n],
    [`${CHARTED} | timechart span=1y count by k`, 2n, 4n],
    [`${CHARTED} | timechart span=1h limit=1 useother=f count by k`, 2n, null],
    [`${CHARTED} | timechart span=1h values(k)`, 3n, null],
    [`${CHARTED} | search k == "y" | timechart span=1h count`, 0n, null],
  ])('of %s', async (text, rows, input) => {
    const runner = await QueryRunner.open({ tables: { t: ROWS } });
    const { stageCounts } = await runner.run(text, { apart: 'counting' });
    expect([...stageCounts.values()]).toEqual([{ rows, input }]);
  });
});

const MARK = 'hostile7f3';
const HOSTILE = [
  `${MARK}'); drop table stored_1; --`,
  `a" from x; select "${MARK}`,
  `$1::varchar ${MARK}`,
  `vigil_source_1 ${MARK}`,
  `vigil_value_1::bigint vigil_name_1 ${MARK}`,
  `/*${MARK}*/ c1`,
  `]${MARK}[`,
  `\\'${MARK}\n;`,
  `~1/${MARK}~0$.*`,
];

describe('Hostile names, texts and patterns', () => {
  const field = (name: string) => `field(${quoted(name)})`;
  const PIPELINES: readonly ((name: string) => string)[] = [
    (name) => `table t | search ${field(name)} == ${quoted(name)} | eval ${field(name)} = concat(${field(name)}, "!")`,
    (name) => `table t | stats count, values(${field(name)}) as ${field(`${name}2`)} by ${field(name)}`,
    (name) => `table t | eventstats count as ${field(name)} | sort -${field(name)} | dedup ${field(name)}`,
    (name) => `table t | timechart cont=t fill=${quoted(name)} count as ${field(name)} by s`,
    (name) => `table t | pivot count as ${field(name)}, dc(s) as d rows ${field(name)} cols s`,
    (name) => `table t | rename ${field(name)} as ${field(`x${name}`)} | tojson output=${quoted(name)}`,
    (name) => `table t | join type=full ${field(name)} [ table t | fields ${field(name)}, s ]`,
    (name) =>
      `table t | parsekv field=s pairdelim=${quoted(name)} kvdelim=${quoted(name.slice(0, 3))} | fields s, ${field(name)}`,
    (name) => `table t | parse field=s ${quoted(name.replaceAll('*', ''))} as q`.replace(/" as q$/, '*" as q'),
    (name) => `table t | fillnull value=${quoted(name)} ${field(name)}, none | top 3 ${field(name)}`,
    (name) => `table t | search match(s, ${quoted(`(?i)\\Q${name.replaceAll('\\', '')}\\E`)}) | explode ${field(name)}`,
    (name) =>
      `table t | streamstats count as ${field(`${name}2`)} by ${field(name)} | prev ${field(name)} | eval k = kvjoin(${quoted(name)}, ";")`,
    (name) => `table t | rollup label=${quoted(name)} count as ${field(`${name}2`)} by ${field(name)}, s`,
    (name) =>
      `table t | memlookup op=build name=${quoted(name)} key=${quoted(name)} s | lookup ${field(name)} s as ${field(name)} output s as ${field(name)}`,
    (name) => `fulltext ${field(name)} == ${quoted(name.replaceAll('*', ''))} or "${MARK}" from t`,
  ];

  it.each(HOSTILE)('stay out of SQL: %j', async (name) => {
    const rows = [{ [name]: name, s: name }, { [name]: 5, s: 'b' }, { s: name }];
    for (const undeclared of [[], [name]]) {
      const runner = await QueryRunner.open({ tables: { t: rows } }, undeclared);
      for (const make of PIPELINES) {
        const text = make(name);
        const { rows: found, isOrdered } = await runner.run(text);
        // A declared column and its further ones are read by their names, quoted; nothing else of a query is in its statement.
        const quotedColumns = ['', ':double', ':string'].map((type) => `"${name.replaceAll('"', '""')}${type}"`);
        const written = await runner.statement(text);
        const statement = quotedColumns.reduce((all, column) => all.replaceAll(column, ''), written);
        expect(statement).not.toContain(MARK);
        const one = resultText(found);
        const other = resultText(await runner.runLocally(text));
        expect({ text, rows: isOrdered ? one : one.sort() }).toEqual({ text, rows: isOrdered ? other : other.sort() });
      }
    }
  });
});

describe('Records that look like a date or a binary inside', () => {
  /** Anyone can send them; none of them is exactly a tag. */
  const LOOKALIKES = [
    { $binary: '%%' },
    { $binary: 'QQ' },
    { $binary: 'QR==' },
    { $binary: 5 },
    { $binary: 'QQ==', b: 2 },
    { $date: 'x' },
    { $date: 5, a: 1 },
    { $date: 1e17 },
    { $date: 2.5 },
    { $date: null },
    { $date: [1] },
  ];

  it.each([
    'table t | fields x',
    'table t | eval y = typeof(x), l = len(x), s = string(x), h = tohex(x), d = datepart(x, "year"), b = decode(x)',
    'table t | eval e = x == x, v = valueof(x, "$date"), c = contains(array(x), x), m = max(x, "a")',
    'table t | stats count by x',
    'table t | stats dc(x) as n, min(x) as least, max(x) as most, values(x) as all',
    'table t | sort x | fields x',
    'table t | dedup x | search x == "*Q*" | tojson',
  ])('are maps: %s', async (text) => {
    const runner = await QueryRunner.open({ tables: { t: LOOKALIKES.map((x) => ({ x })) } }, ['x']);
    expect(resultText((await runner.run(text)).rows)).toEqual(resultText(await runner.runLocally(text)));
  });

  it('keep a field of such a name that is the only one of its row', async () => {
    const lines = ['{"$binary":"QQ=="}', '{"$date":5}'].map((line) => ({ line }));
    const runner = await QueryRunner.open({ tables: { t: lines } }, ['line']);
    for (const text of ['table t | parsejson', 'table t | parsejson overlay=t | fields - line']) {
      const rows = (await runner.run(text)).rows.map((row) => [row.get('$binary') ?? null, row.get('$date') ?? null]);
      expect(rows).toEqual([
        ['QQ==', null],
        [null, 5n],
      ]);
    }
  });
});

it('Parameters are read inside foreach() as everywhere', async () => {
  const runner = await QueryRunner.open({ tables: { t: [{ l: ['a', 'b'] }] }, constants: { p: 5 } });
  const text =
    'set k = 7 | table t | eval r = foreach(concat(_1, $("p"), $("k"), $("none", "!")), l), m = foreach(match(_1, concat("a", "$")), l) | fields r, m';
  const wanted = [
    new Map<string, Value>([
      ['r', ['a57!', 'b57!']],
      ['m', [true, false]],
    ]),
  ];
  expect((await runner.run(text)).rows).toEqual(wanted);
  expect(await runner.runLocally(text)).toEqual(wanted);
});
