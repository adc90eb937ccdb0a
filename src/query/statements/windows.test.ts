// streamstats, prev, rollup and cube on DuckDB beside the local evaluator, over values of one type and of several.

import { describe, expect, it } from 'vitest';
import type { ExampleRow } from '#query/model/example.ts';
import type { Value } from '#query/model/values.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import { failureIn, isSizeError } from '#query/values/failures.ts';
import { QueryRunner } from '#test/support/query-runner.ts';

const ROWS: readonly ExampleRow[] = [
  { k: 'a', n: 4, d: 1.5, s: 'x', m: 1 },
  { k: 'b', n: null, d: -2.25, s: null, m: '1' },
  { n: 7, d: null, s: 'B', m: 1.0 },
  { k: 'a', n: -4, d: 0.5, m: null },
  { k: 'a', n: 5000, d: 1e4, s: '', m: true },
  { n: 7, d: 2.5, s: 'x', m: [1, 'b'] },
  { k: 'b', n: 0, s: '한', m: { k: 1 } },
  { k: 'a', n: 7, d: -1, s: 'y', m: '2.5' },
];

const ALL = ['n', 'd', 's', 'm', 'gone'].flatMap((field) => [
  ...['count', 'sum', 'avg', 'min', 'max', 'first', 'last', 'dc', 'values', 'array', 'stddev', 'var', 'median'].map(
    (name) => `${name}(${field})`,
  ),
  ...['lower', 'higher', 'nearest', 'midpoint', 'linear'].map((how) => `percentile(${field}, 30, "${how}")`),
  `values(${field}, 2)`,
  `array(${field}, 2)`,
  `corr(n, ${field})`,
  `cov(d, ${field})`,
  `slope(n, ${field})`,
]);

const named = ALL.map((call, index) => `${call} as g${index}`).join(', ');

/** Doubles are told to nine digits, and equals of one group either way. */
function rounded(value: Value): Value {
  const told = typeof value === 'number' ? Number(value.toPrecision(9)) : value;
  if (typeof told === 'number') return Number.isInteger(told) ? BigInt(told) : told;
  return Array.isArray(value) ? value.map(rounded) : value;
}

/** Field by field, so that a difference is seen. */
const shown = (rows: readonly ReadonlyMap<string, Value>[]) =>
  rows.map((row) => Object.fromEntries([...row].map(([name, value]) => [name, taggedJson(rounded(value))])));

interface Stored {
  /** Fields in the overflow of their rows. */
  readonly undeclared?: readonly string[];
  /** Whether each command is also a statement of its own. */
  readonly isStaged?: boolean;
}

async function expectAlike(text: string, { undeclared = [], isStaged = true }: Stored = {}): Promise<void> {
  await using runner = await QueryRunner.open({ tables: { t: ROWS, r: ROWS.slice(0, 3) } }, undeclared);
  const found = await runner.run(text);
  expect(shown(found.rows)).toEqual(shown(await runner.runLocally(text)));
  if (!isStaged) return;
  const apart = await runner.run(text, { apart: 'all' });
  expect(shown(apart.rows)).toEqual(shown(found.rows));
  expect(found.pushes).toEqual(apart.pushes);
}

describe('Aggregates over the rows so far', () => {
  const windows = ['', 'window=2 ', 'window=9223372036854775807 '];
  it.each(windows.flatMap((window) => ['', ' by m'].map((by) => [window, by])))(
    'are those of the local evaluator: %s%s',
    async (window, by) => {
      const text = `table t | streamstats ${window}${named}${by}`;
      // DuckDB takes a second to plan 115 aggregates. A bound of rows is the same clause in a statement of its own.
      await expectAlike(text, { isStaged: window === '' });
      await expectAlike(text, { undeclared: ['n', 's', 'm'], isStaged: false });
    },
  );
});

describe('Lists of the rows so far', () => {
  const failureOf = async (rows: number, command: string) => {
    await using runner = await QueryRunner.open({});
    const given = `json "{}" | repeat count=${rows} | eval n = seq(), s = lpad("", 1000, "x")`;
    const told = await runner.run(`${given} | streamstats ${command} as l | stats count(l)`).then(() => '', String);
    // The text of the statement follows.
    const [failure = ''] = told.split('\n', 1);
    return failureIn(failure)?.code ?? (isSizeError(failure) ? 93003 : undefined);
  };

  it.each([
    ['array(n)', 1413, undefined],
    ['array(n)', 1414, 93011],
    ['values(s)', 1414, 93011],
    ['array(s)', 1000, 93003],
    ['window=100 array(n)', 2000, undefined],
    ['array(s, 2)', 1000, 93003],
    ['array(n, 2)', 2000, undefined],
    ['percentile(n, 30, "lower")', 2000, undefined],
    ['percentile(n, 30, "lower")', 6000, 93003],
  ] as const)('%s over %i rows ends with %s', async (command, rows, code) => {
    expect(await failureOf(rows, command)).toBe(code);
  });
});

describe('Rows beside those before them', () => {
  it.each([
    'table t | drop | streamstats sum(n), count by k',
    'table t | drop | prev n, s',
    'table t | limit 3 | streamstats count, sum(n)',
    'table t | streamstats sum(n) as c | limit 2 3',
    'table t | sort -n | streamstats count as place by k | search place == 1',
    'table order=asc t | streamstats window=2 avg(d) as m | prev m, d | eval up = m > prev_m',
    'table t | streamstats count as n | streamstats sum(n) as n by k | prev n',
    'table t | prev n, n | fields prev_n, n',
    'table t | prev prev_n | prev k',
    'table t | join type=left k [ table r | streamstats count as c | prev n | fields k, c, prev_n ] | sort _id, c',
    'table t | union [ table r | prev k | streamstats sum(n) as c ] | stats sum(c), count(prev_k)',
    'table t | streamstats first(m) as f, last(m) as l by k | stats values(f), array(l)',
    'table t | streamstats count as c | stats count',
    'table t | fields k | streamstats count | fields count',
    'table t | streamstats dc(m) as c | eventstats max(c) as all | dedup k',
    'table t | bin span=1h | streamstats count by _time',
  ])('%s', async (text) => {
    await expectAlike(text);
    await expectAlike(text, { undeclared: ['n', 'k', 'm'] });
  });

  it('keep every count, whatever a limit takes of them', async () => {
    const runner = await QueryRunner.open({ tables: { t: ROWS } });
    expect((await runner.run('table t | streamstats count | limit 3')).pushes).toEqual([8n, 3n, 3n]);
    expect((await runner.run('table t | prev n | limit 3')).pushes).toEqual([8n, 3n, 3n]);
    expect((await runner.run('table t | search n == 7 | streamstats count | prev n')).pushes).toEqual([8n, 3n, 3n, 3n]);
  });
});

describe('Rolled up groups', () => {
  it.each([
    'table t | rollup ALL by k, n',
    'table t | cube label=ALL ALL by k, m',
    'table t | cube count by m, s, d',
    'table t | rollup label=1 count by n, m',
    'table t | cube label=x count by gone, k',
    'table t | drop | rollup count, sum(n) by k',
    'table t | drop | cube label=ALL count by k, n',
    'table t | search n == 7 | cube count by k, n | search isnull(k) | stats count',
    'table t | rollup count by k | limit 2',
    'table t | rollup first(n) as f by k | sort -f | streamstats count',
    'table t | union [ table r ] | rollup count by k, s | prev count',
    'table t | join type=left k [ table r | cube count by k ] | stats sum(count)',
  ])('%s', async (written) => {
    const text = written.replace(' ALL by', ` ${named} by`);
    await expectAlike(text);
    await expectAlike(text, { undeclared: ['n', 'k', 'm'], isStaged: text === written });
  });

  it('count what they were made of', async () => {
    const runner = await QueryRunner.open({ tables: { t: ROWS } });
    const text = 'table t | search n == 7 | cube count by k, m';
    const staged = await runner.run(text, { apart: 'counting' });
    expect([...staged.stageCounts.values()]).toEqual([{ rows: BigInt(staged.rows.length), input: 3n }]);
    const none = await runner.run('table t | drop | rollup count by k', { apart: 'counting' });
    expect([...none.stageCounts.values()]).toEqual([{ rows: 1n, input: 0n }]);
    expect(none.pushes).toEqual([8n, 0n, 1n]);
  });
});
