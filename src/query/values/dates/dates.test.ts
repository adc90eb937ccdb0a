// Dates around the offset changes of many zones, near the present and far from it, on both evaluators.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PARTS, UNITS } from '#query/functions/arguments.ts';
import type { Value } from '#query/model/values.ts';
import { DuckdbRows, evaluateLocally, isSame, planned } from '#test/support/expressions.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';

const ZONES = [
  'Asia/Seoul',
  'America/New_York',
  'America/Havana', // Its clock goes back at 1 o'clock to midnight.
  'Australia/Lord_Howe', // By half an hour.
  'Asia/Kathmandu',
  'Pacific/Apia', // Skipped a whole day in 2011.
  'Europe/Berlin',
  'UTC',
];

const SPANS = ['10s', '7m', '1h', '2h', '6h', '1d', '3d', '1w', '1mon', '3mon', '1y'];

const columns = [
  { name: 't', type: 'date' },
  { name: 'u', type: 'date' },
  { name: 'n', type: 'long' },
  { name: 's', type: 'string' },
] as const;

const EXPRESSIONS = [
  ...SPANS.map((span) => `datetrunc(t, "${span}")`),
  ...['90s', '9h', '1d'].flatMap((offset) =>
    ['1h', '1d', '1mon'].map((span) => `datetrunc(t, "${span}", "${offset}")`),
  ),
  ...UNITS.map((unit) => `dateadd(t, "${unit}", n)`),
  ...UNITS.map((unit) => `datediff(t, u, "${unit}")`),
  ...PARTS.map((part) => `datepart(t, "${part}")`),
  'string(t)',
  'string(t, "yyyy-MM-dd HH:mm:ss.SSS Z XXX E DDD")',
  'date(s)',
  'date(substr(string(t), 0, 19))',
  'date(string(t, "yyyy-MM-dd\'T\'HH:mm:ss.SSSXXX"))',
  'date(string(t, "dd.MM.yyyy HH:mm"), "dd.MM.yyyy HH:mm")',
];

/**
 * Instants around the offset changes of a zone, and others up to 2042: zone databases of different versions disagree on
 * later rules.
 */
function moments(zone: string): Temporal.Instant[] {
  const found: Temporal.Instant[] = [];
  const begin = Temporal.Instant.from('1965-01-01T00:00:00Z').toZonedDateTimeISO(zone);
  for (let at = begin.getTimeZoneTransition('next'); at && at.year < 2045; at = at.getTimeZoneTransition('next')) {
    for (const minutes of [-61, -30, -1, 0, 29, 60, 700]) found.push(at.toInstant().add({ minutes }));
  }
  const anywhere = fc.sample(fc.integer({ min: -3e9, max: 2.3e9 }), { numRuns: 100, seed: FUZZ_SEED });
  return [...found, ...anywhere.map((seconds) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000 + 7))];
}

/** Wall-clock times in and around gaps and repeated hours. */
const wallText = (at: Temporal.Instant, zone: string, minutes: number): string =>
  at.toZonedDateTimeISO(zone).toPlainDateTime().add({ minutes }).toString({ smallestUnit: 'second' }).replace('T', ' ');

describe('Dates', () => {
  it.each(ZONES)('are the same on both evaluators in %s', async (zone) => {
    const known = moments(zone);
    const length = { minLength: 60, maxLength: Math.min(400, known.length) };
    const all = fc.sample(fc.shuffledSubarray(known, length), { numRuns: 1, seed: FUZZ_SEED })[0] ?? [];
    const rows = all.map((t, index) => {
      const u: Value = all[(index * 7 + 3) % all.length] ?? null;
      return { t, u, n: BigInt((index % 9) - 4), s: wallText(t, zone, (index % 5) * 20) };
    });
    const duckdb = await DuckdbRows.open(columns, rows);
    for (const text of EXPRESSIONS) {
      const expression = planned(text, columns, zone);
      const found = await duckdb.values(expression, zone);
      const wanted = evaluateLocally(expression, rows, zone);
      const different = wanted.flatMap((value, index) =>
        isSame(value, found[index] ?? null)
          ? []
          : [{ text, ...rows[index], local: `${value}`, duckdb: `${found[index]}` }],
      );
      expect(
        different
          .slice(0, 2)
          .map((one) => JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? `${value}` : value))),
      ).toEqual([]);
    }
  });
});
