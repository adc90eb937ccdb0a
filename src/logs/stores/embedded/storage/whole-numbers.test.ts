// Whole numbers stay longs beside fractions of the same field, wherever their records are: fresh, sealed, merged and after a
// restart.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

const LARGE = 9_007_199_254_740_993n;
const ordered = (texts: readonly string[], from = 0) =>
  texts.map((text, index) => record(text, TIME - 3_600_000 + from + index));

let home: DuckdbHome;
let spec: TableSpec;
beforeEach(async () => {
  home = await makeEngineHome();
  spec = await home.createTable({ name: 't', layout: 'columnar', compression: 'snappy' });
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  expect(home.failures).toEqual([]);
});

const rowsOf = async (text: string) => (await queryOn(home.engine, [spec], text)).rows;

/** Over n = 7, 5, 7, then 2.5 and 3. */
const MIXED: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  [
    'table t | eval t = typeof(n) | fields n, t | sort n',
    [
      ['2.5', 'double'],
      ['3', 'long'],
      ['5', 'long'],
      ['7', 'long'],
      ['7', 'long'],
    ],
  ],
  ['table t | search n > 4 | stats sum(n) as s | eval t = typeof(s)', [['19', 'long']]],
  [
    'table t | stats sum(n) as s, avg(n) as a, min(n) as l, max(n) as m, dc(n) as d, count(n) as c',
    [['24.5', '4.9', '2.5', '7', '4', '5']],
  ],
  [
    'table t | eval k = typeof(n) | stats sum(n) as s, min(n) as l, max(n) as m by k | sort k',
    [
      ['double', '2.5', '2.5', '2.5'],
      ['long', '22', '3', '7'],
    ],
  ],
  [
    'table t | stats count by n | sort n',
    [
      ['2.5', '1'],
      ['3', '1'],
      ['5', '1'],
      ['7', '2'],
    ],
  ],
  [
    'table t | search n == 7 | eval d = n * 2, h = n / 2, s = string(n) | fields d, h, s | limit 1',
    [['14', '3.5', '7']],
  ],
  ['table t | search n == 2.5 or n == "3" | sort n | fields n', [['2.5'], ['3']]],
  ['table t | search n != 7 and n < 5 and not(n == 3) | fields n', [['2.5']]],
  ['table t | search in(n, 5, 2.5) | sort -n | fields n', [['5'], ['2.5']]],
  ['table t | stats values(n) as v, first(n) as f', [['[2.5,3,5,7]', '3']]],
  ['table t | stats percentile(n, 50, "lower") as p, median(n) as m | eval t = typeof(p)', [['5', '5', 'long']]],
  ['table t | streamstats sum(n) as s by x | stats max(s) as m', [['24.5']]],
  [
    'table t | streamstats window=1 max(n) as s | eval t = typeof(s) | stats count by t | sort t',
    [
      ['double', '1'],
      ['long', '4'],
    ],
  ],
  ['table t | dedup n | stats count', [['4']]],
  ['table t | top 1 n | eval t = typeof(n) | fields n, count, t', [['7', '2', 'long']]],
  [
    'table t | join n [ json "[{n:7},{n:2.5}]" ] | stats count by n | sort n',
    [
      ['2.5', '1'],
      ['7', '2'],
    ],
  ],
  ['table t | union [ table t ] | stats sum(n) as s by n | sort n | fields s', [['5'], ['6'], ['10'], ['28']]],
  ['table t | timechart span=1d max(n) as m | fields m', [['7']]],
  ['table t | pivot count rows x cols n | fields 7, 2.5', [['2', '1']]],
  ['table t | tojson output=j n | search n == 7 | fields j | limit 1', [['{"n":7}']]],
  ['fulltext "7" from t | stats count', [['2']]],
  [
    'table t | prev n | sort n | eval t = typeof(prev_n) | stats count by t | sort t',
    [
      ['double', '1'],
      ['long', '3'],
      ['null', '1'],
    ],
  ],
  ['table t | repeat count=2 | stats sum(n) as s', [['49']]],
  ['table t | rollup count by n | stats count', [['5']]],
  ['table t | evalc p = n | eval q = $("p") | search n == 7 | eval t = typeof(q) | stats count by t', [['long', '2']]],
];

const shown = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : JSON.stringify(cell))));

const before = ordered(['{"n":7,"x":"a"}', '{"n":5,"x":"a"}', '{"n":7,"x":"a"}']);
const after = ordered(['{"n":2.5,"x":"a"}', '{"n":3,"x":"a"}'], 10);

/** What has happened to the records, in this order. */
const STATES: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['fresh', () => home.engine.append(spec, before).then(() => home.engine.append(spec, after))],
  ['sealed', () => home.tick({ minutes: 6 })],
  ['after a restart', () => home.restart()],
];

describe('Whole numbers beside fractions', () => {
  it.each(MIXED)('are longs: %s', async (text, wanted) => {
    for (const [state, reach] of STATES) {
      await reach();
      expect([state, shown(await rowsOf(text))]).toEqual([state, shown(wanted)]);
    }
  });

  it('are longs in segments that were sealed apart and merged', async () => {
    await home.engine.append(spec, before);
    await home.tick({ minutes: 6 });
    await home.engine.append(spec, after);
    await home.tick({ minutes: 6 });
    await home.tick({ hours: 2 });
    for (const [text, wanted] of MIXED.slice(0, 6))
      expect([text, shown(await rowsOf(text))]).toEqual([text, shown(wanted)]);
  });

  it('are exact beyond 53 bits after a fraction has come', async () => {
    await home.engine.append(spec, [
      record('{"n":1}', TIME - 3),
      { ...record('{"n":1}', TIME - 2), text: `{"n":${LARGE}}`, shape: { names: ['n'], types: ['other'] } },
    ]);
    const text = 'table t | search n >= 1 | stats sum(n) as s | eval t = typeof(s)';
    const wanted = shown([[String(LARGE + 1n), 'long']]);
    const sums = async () => (await queryOn(home.engine, [spec], text)).rows;
    expect(shown(await sums())).toEqual(wanted);
    await home.engine.append(spec, [record('{"n":0.5}', TIME - 1)]);
    const largest = 'table t | stats percentile(n, 100, "lower") as p, percentile(n, 99, "nearest") as q';
    expect(shown(await rowsOf(largest))).toEqual(shown([[String(LARGE), String(LARGE)]]));
    for (const [, reach] of STATES.slice(1)) {
      expect(shown(await sums())).toEqual(wanted);
      await reach();
    }
    expect(shown(await sums())).toEqual(wanted);
  });
});

describe('A field of fractions alone', () => {
  const typeOf = async () => (await home.engine.describe(spec)).columns.find(({ name }) => name === 'n');

  it('is a column of doubles until a whole number comes, and stays what it is over a restart', async () => {
    await home.engine.append(spec, ordered(['{"n":2.5}', '{"n":0.25}']));
    expect(await typeOf()).toEqual({ name: 'n', type: 'double' });
    await home.restart();
    expect(await typeOf()).toEqual({ name: 'n', type: 'double' });
    await home.tick({ minutes: 6 });
    await home.restart();
    expect(await typeOf()).toEqual({ name: 'n', type: 'double' });
    await home.engine.append(spec, ordered(['{"n":2}'], 5));
    expect(await typeOf()).toEqual({ name: 'n', type: 'any', isNumber: true });
    await home.restart();
    expect(await typeOf()).toEqual({ name: 'n', type: 'any', isNumber: true });
  });
});
