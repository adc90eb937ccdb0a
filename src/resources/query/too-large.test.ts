// Numbers in stored records that no double can hold: null in the language, whoever works on them.

import { beforeAll, describe, expect, it } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { serviceFor } from '#test/support/suites.ts';

const LARGE = ['1e400', '-1e400', '1.0E+309', '9'.repeat(400), `-${'1'.repeat(310)}.5`];
const OTHERS = [
  '1.5',
  '3',
  'null',
  '"x"',
  '1e308',
  '1e-400',
  '"1e400"',
  '[1,2]',
  '{"b":5}',
  '-0.0',
  '12345678901234567890',
];

/** Values of a field, with what is shown in place of those that are too large. */
const valuesWith = (shown: (number: string) => string): string[] => [
  ...OTHERS,
  ...LARGE.flatMap((number) => [shown(number), `[${shown(number)},2]`, `{"b":${shown(number)}}`]),
];

const VALUES = valuesWith((number) => number);
const NULLS = valuesWith(() => 'null');

const records = (values: readonly string[]) => values.map((value, n) => `{"n":${n},"a":${value}}`).join('\n');

const EXPRESSIONS = [
  ...['a', 'a + 1', '-a', 'isnull(a)', 'isnotnull(a)', 'typeof(a)', 'isnum(a)', 'isstr(a)', 'string(a)', 'nvl(a, 7)'],
  ...['a == 5', 'a != 5', 'a < 5', 'a == a', 'a != "x"', 'abs(a)', 'round(a)', 'long(a)', 'double(a)', 'len(a)'],
  ...[
    'valueof(a, 0)',
    'isnull(valueof(a, "b"))',
    'typeof(valueof(a, 0))',
    'foreach(isnull(_1), a)',
    'if(isnull(a), 1, 2)',
  ],
];

const COMMANDS = [
  'stats count(a), sum(a), avg(a), min(a), max(a), dc(a), values(a), median(a), stddev(a)',
  'sort n | stats first(a), last(a), array(a)',
  'search isnum(a) | stats count(a), sum(a), min(a), max(a)',
  'stats count by a | sort count, a',
  'sort a, n | fields n',
  'sort n | dedup a | fields n',
  'sort n | streamstats count(a) as c, max(a) as m | fields n, c, m',
  'join a [ table row | fields a ] | stats count',
  'search a != 3 | stats count',
  'sort n | fillnull value=0 a | fields n, a',
];

describe('A number too large for a double', () => {
  const subject = serviceFor();
  /** Digits of whole numbers are shown as they were sent; to a reader of JSON they are infinite. */
  const rows = async (q: string) =>
    (await rowsOf(subject, q)).map((row) =>
      Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(row))).filter(([, value]) => value !== null)),
    );
  beforeAll(async () => {
    for (const layout of ['row', 'columnar']) {
      for (const [table, values] of [
        [layout, VALUES],
        [`${layout}_null`, NULLS],
      ] as const) {
        const logger = await createLogger(subject, { table, storage: { layout } });
        expect((await push(subject, logger, { body: records(values) })).status).toBe(200);
      }
    }
  });

  describe.each(['row', 'columnar'])('in a table of layout %s', (layout) => {
    it.each(EXPRESSIONS)('is null in %s, for statements and for the host', async (expression) => {
      const asked = `eval z = ${expression} | fields n, z`;
      const expected = await rows(`table order=asc ${layout}_null | ${asked}`);
      expect(expected).toHaveLength(VALUES.length);
      expect(await rows(`table order=asc ${layout} | ${asked}`)).toEqual(expected);
      expect(await rows(`table order=asc ${layout} | evalc q = 1 | ${asked}`)).toEqual(expected);
    });

    it.each(COMMANDS)('is null for %s', async (command) => {
      const expected = await rows(`table ${layout}_null | ${command}`);
      expect(expected.length).toBeGreaterThan(0);
      expect(await rows(`table ${layout} | ${command}`)).toEqual(expected);
    });
  });
});
