// Conditions of stream rules (13), and pipelines stored as parsers: no driver, few commands, one record at a time.

import { describe, expect, it } from 'vitest';
import { runToEnd, type SlicedWork } from '#kernel/sliced-work.ts';
import { QueryError } from '#query/model/query-error.ts';
import { type CheckedCondition, checkCondition, checkParser } from '#query/query.ts';
import { world } from '#test/support/query.ts';

function outcome(
  text: string,
  check: (text: string, context: ReturnType<typeof world>) => SlicedWork<CheckedCondition>,
): string {
  try {
    return runToEnd(check(text, world())).normalized;
  } catch (failure) {
    if (!(failure instanceof QueryError)) throw failure;
    return `${failure.code} ${failure.begin}..${failure.end}`;
  }
}

const GUID = '11111111-1111-1111-1111-111111111111';

describe('Conditions of stream rules', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['search a == 1', 'search a == 1'],
    [
      'parsekv overlay=t | rex "(?<n>x)" | eval m = len(n) | rename m as k | fields k | parsejson',
      'parsekv overlay=t | rex "(?<n>x)" | eval m = len(n) | rename m as k | fields k | parsejson',
    ],
    [`matchnet guid=${GUID} | # note | search a > $("p")`, `matchnet guid=${GUID} | search a > $("p")`],
    ['search limit=1 a', '92002 7..14'],
    ['search a | limit 1', '92002 11..16'],
    ['table t | search a', '92002 0..5'],
    ['search a | stats foo', '92002 11..16'],
    ['parse "a*" as b', '92002 0..5'],
    ['set a = 1', '92002 0..3'],
    ['import t', '92002 0..6'],
    ['search a | nope', '92000 11..15'],
    ['streamstats count', '92002 0..11'],
    ['kmeans a', '92003 0..6'],
    ['eval n = tohex(randbytes(4))', '92002 15..24'],
    ['search encrypt("AES/GCM", $("k"), a)', '92002 7..14'],
    [
      `search matchport("${GUID}", a, b) and signature(line) == "x"`,
      `search matchport("${GUID}", a, b) and (signature(line) == "x")`,
    ],
    ['eval n = seq()', '92002 9..12'],
    ['search a == 1 and rand(2) == 0', '92002 18..22'],
    ['eval n = concat("x", guid())', '92002 21..25'],
    ['search now() > a', 'search now() > a'],
    ['search a == $("gone")', 'search a == $("gone")'],
    ['search field(concat("a", b)) == 1', 'search field(concat("a", b)) == 1'],
    ['search a == $("_timezone")', 'search a == $("_timezone")'],
    ['', '90002 0..0'],
    ['search a |', '90003 9..10'],
    ['matchnet guid=22222222-2222-2222-2222-222222222222', '21301 14..50'],
    ['search limit=1 a | nope', '92002 7..14'],
  ];
  for (const [text, expected] of cases) {
    it(`${text} is ${expected}`, () => {
      expect(outcome(text, checkCondition)).toBe(expected);
    });
  }

  it('start with the record, whose fields are in the overflow unless a command knows them', () => {
    const { steps } = runToEnd(checkCondition('search a == 1', world()));
    const columns = ['line', '_table', '_time', '_id', '_node'].map((name) => ({ name }));
    expect(steps).toMatchObject({ kind: 'filter', input: { kind: 'given', rows: { columns } } });
    expect(steps).toMatchObject({ condition: { left: { source: { kind: 'overflow' } } } });
  });
});

describe('Stored parsers', () => {
  it('may use parse commands that conditions may not', () => {
    expect(outcome('parse "a*" as b | parsecsv x, y', checkParser)).toBe('parse "a*" as b | parsecsv x, y');
    expect(outcome('search limit=1 a', checkParser)).toBe('92002 7..14');
    expect(outcome('stats count', checkParser)).toBe('92002 0..5');
  });
});
