// Dates that are read by patterns (9.5), locally and on DuckDB.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datePatternError } from '#query/model/date-pattern.ts';
import { DuckdbRows, evaluateLocally, isSame, planned } from '#test/support/expressions.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';

const COLUMNS = [{ name: 's', type: 'string' }] as const;
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const called = (pattern: string, locale: 'en' | 'ko'): string => `date(s, ${quoted(pattern)}, "UTC", "${locale}")`;

/** The values of both evaluators for each text, where they agree. */
async function read(pattern: string, texts: readonly string[], locale: 'en' | 'ko' = 'en'): Promise<(string | null)[]> {
  const rows = texts.map((s) => ({ s }));
  const expression = planned(called(pattern, locale), COLUMNS, 'UTC');
  const found = await (await DuckdbRows.open(COLUMNS, rows)).values(expression, 'UTC');
  const wanted = evaluateLocally(expression, rows, 'UTC');
  const different = wanted.flatMap((value, index) =>
    isSame(value, found[index] ?? null)
      ? []
      : [{ pattern, text: texts[index], local: `${value}`, duckdb: `${found[index]}` }],
  );
  expect(different.slice(0, 3)).toEqual([]);
  return wanted.map((value) => (value === null ? null : `${value}`));
}

/** Pattern, then each text with what it is read as, in UTC. */
const RULES: Readonly<Record<string, readonly [string, readonly [string, string | null][]][]>> = {
  'white space before a group is skipped, and text after the pattern ignored': [
    [
      'yyyy-MM-dd',
      [
        ['2026-11-15', '2026-11-15T00:00:00Z'],
        ['  2026- 11-\n 15T09:00', '2026-11-15T00:00:00Z'],
        ['2026-11-15\nx', '2026-11-15T00:00:00Z'],
        ['2026-11 -15', null],
        ['x2026-11-15', null],
        ['2026-11-', null],
        ['', null],
      ],
    ],
    ['', [['anything', '1970-01-01T00:00:00Z']]],
  ],
  'blanks of the pattern are one blank or tab or more': [
    [
      'MMM dd HH:mm',
      [
        ['Nov  1 9:01', '1970-11-01T09:01:00Z'],
        ['Nov\t1\t \t9:01', '1970-11-01T09:01:00Z'],
        ['Nov1 9:01', null],
        ['Nov\n1 9:01', null],
      ],
    ],
    [
      'yyyy  MM',
      [
        ['2026 5', '1970-01-01T00:00:00Z'.replace('1970-01', '2026-05')],
        ['20265', null],
      ],
    ],
    [
      'yyyy \tMM',
      [
        ['2026 \t5', null],
        ['2026 5', null],
      ],
    ],
    [
      "yyyy'-at-'H",
      [
        ['2026-at-5', '2026-01-01T05:00:00Z'],
        ['2026-AT-5', null],
      ],
    ],
  ],
  'a number is a whole run of digits': [
    [
      'yyyy-MM-dd',
      [
        ['2026-1-5', '2026-01-05T00:00:00Z'],
        ['2026-01-151', null],
        ['2026-001-15', null],
        ['26-01-15', null],
        ['02026-01-15', null],
        ['２０２６-01-15', null],
      ],
    ],
    [
      'd/M/yyyy H:m:s',
      [
        ['05/01/2026 09:07:03', '2026-01-05T09:07:03Z'],
        ['5/1/2026 9:7:3', '2026-01-05T09:07:03Z'],
        ['5/1/2026 9:7:03.5', '2026-01-05T09:07:03Z'],
      ],
    ],
    [
      'DDD yyyy',
      [
        ['7 2026', '2026-01-07T00:00:00Z'],
        ['365 2026', '2026-12-31T00:00:00Z'],
        ['366 2026', null],
        ['366 2028', '2028-12-31T00:00:00Z'],
        ['0 2026', null],
        ['0001 2026', null],
      ],
    ],
    [
      "yyyy'1'",
      [
        ['2026', null],
        ['20261', null],
        ['2026 1', null],
      ],
    ],
    [
      'yy M',
      [
        ['26 5', '2026-05-01T00:00:00Z'],
        ['6 5', null],
      ],
    ],
  ],
  'fractions have any number of digits, of which three count': [
    [
      's.SSSSSS',
      [
        ['1.000456', '1970-01-01T00:00:01Z'],
        ['1.5', '1970-01-01T00:00:01.5Z'],
        ['1.1239999999999', '1970-01-01T00:00:01.123Z'],
        ['1.', null],
      ],
    ],
    ['s.S', [['1.25', '1970-01-01T00:00:01.25Z']]],
    ['yyyy-MM-dd s.SSS', [['2026-01-05 1.25', '2026-01-05T00:00:01.25Z']]],
    ['yyyy-MM-dd s.SSS', [['1926-01-05 1.257', '1926-01-05T00:00:01.257Z']]],
    ['s.SSSSSSSSS', [['1.123456789', '1970-01-01T00:00:01.123Z']]],
  ],
  'groups side by side share a run': [
    [
      'yyyyMMddHHmmssSSS',
      [
        ['20261115090102345', '2026-11-15T09:01:02.345Z'],
        ['2026111509010234', null],
        ['202611150901023456', null],
        ['2026 1115090102345', null],
      ],
    ],
    [
      'Hmm',
      [
        ['930', '1970-01-01T09:30:00Z'],
        ['1730', '1970-01-01T17:30:00Z'],
        ['30', null],
        ['01730', null],
        ['2530', null],
      ],
    ],
    [
      'mmH',
      [
        ['305', '1970-01-01T05:30:00Z'],
        ['3017', null],
      ],
    ],
    ['ssSSSSS', [['0312345', '1970-01-01T00:00:03.123Z']]],
    [
      'dMMyyyy',
      [
        ['5012026', '2026-01-05T00:00:00Z'],
        ['15012026', '2026-01-15T00:00:00Z'],
      ],
    ],
    ['uHH', [['3 12', null]]],
  ],
  'two digits are years from 1969 to 2068': [
    [
      'yy',
      [
        ['00', '2000-01-01T00:00:00Z'],
        ['68', '2068-01-01T00:00:00Z'],
        ['69', '1969-01-01T00:00:00Z'],
        ['99', '1999-01-01T00:00:00Z'],
      ],
    ],
    [
      'yyMMdd',
      [
        ['691231', '1969-12-31T00:00:00Z'],
        ['260229', null],
      ],
    ],
  ],
  hours: [
    [
      'hh:mm',
      [
        ['23:59', '1970-01-01T23:59:00Z'],
        ['12:00', '1970-01-01T12:00:00Z'],
        ['0:00', '1970-01-01T00:00:00Z'],
        ['24:00', null],
        ['23:60', null],
      ],
    ],
    [
      'hh:mm a',
      [
        ['12:05 AM', '1970-01-01T00:05:00Z'],
        ['12:05 pm', '1970-01-01T12:05:00Z'],
        ['1:05 pM', '1970-01-01T13:05:00Z'],
        ['0:05 PM', '1970-01-01T00:05:00Z'],
        ['15:05 AM', '1970-01-01T15:05:00Z'],
        ['5:05', null],
      ],
    ],
    ['a h', [['PM 3', '1970-01-01T15:00:00Z']]],
    ['h a H', [['3 PM 4', '1970-01-01T16:00:00Z']]],
  ],
  'names are short or long, in any case': [
    [
      'EEE, d MMM yyyy',
      [
        ['Sunday, 5 january 2026', '2026-01-05T00:00:00Z'],
        ['SUN, 5 JAN 2026', '2026-01-05T00:00:00Z'],
        ['sun,5 may 2026', null],
        ['Sun, 5 Janu 2026', null],
        ['Sunda, 5 Jan 2026', null],
      ],
    ],
    [
      'EE MMMM',
      [
        ['Mon Sep', '1970-09-01T00:00:00Z'],
        ['Mon Septem', '1970-09-01T00:00:00Z'],
        ['Mondaymarch', null],
      ],
    ],
    ['EMMM', [['MondayMarch', '1970-03-01T00:00:00Z']]],
    [
      "MMM'uary'",
      [
        ['January', null],
        ['Januaryuary', '1970-01-01T00:00:00Z'],
      ],
    ],
    [
      'd/MMM/yyyy',
      [
        ['5/Mar/2026', '2026-03-05T00:00:00Z'],
        ['5/March/2026', '2026-03-05T00:00:00Z'],
        ['5/Marc/2026', null],
        ['31/Apr/2026', null],
      ],
    ],
    [
      'u yyyy',
      [
        ['7 2026', '2026-01-01T00:00:00Z'],
        ['8 2026', null],
      ],
    ],
  ],
  offsets: [
    ...['Z', 'X', 'XX', 'XXX'].map((letters): [string, [string, string | null][]] => [
      `yyyy H${letters}`,
      [
        ['2026 9Z', '2026-01-01T09:00:00Z'],
        ['2026 9 +09', '2026-01-01T00:00:00Z'],
        ['2026 9+0930', '2025-12-31T23:30:00Z'],
        ['2026 9-09:30x', '2026-01-01T18:30:00Z'],
        ['2026 9+9', null],
        ['2026 9+09300', null],
        ['2026 9+2400', null],
        ['2026 9+0960', null],
        ['2026 9', null],
      ],
    ]),
  ],
  parts: [
    ['yyyy-MM-dd yyyy', [['2026-02-03 2027', '2027-02-03T00:00:00Z']]],
    ['yyyy-MM-dd D', [['2026-02-31 5', '2026-01-05T00:00:00Z']]],
    [
      'yyyy-MM-dd D',
      [
        ['2026-13-01 5', null],
        ['2026-12-32 5', null],
      ],
    ],
    ['H:m:s', [['1:2:60', null]]],
    [
      'yyyy-MM-dd',
      [
        ['2026-02-29', null],
        ['2028-02-29', '2028-02-29T00:00:00Z'],
        ['2026-00-10', null],
        ['2026-10-00', null],
        ['0000-10-01', null],
      ],
    ],
  ],
};

describe('Dates by patterns', () => {
  for (const [rule, patterns] of Object.entries(RULES)) {
    it(`${rule}`, async () => {
      for (const [pattern, cases] of patterns) {
        const values = await read(
          pattern,
          cases.map(([text]) => text),
        );
        expect(cases.map(([text], index) => [pattern, text, values[index]])).toEqual(
          cases.map(([text, value]) => [pattern, text, value]),
        );
      }
    });
  }

  it('have Korean names', async () => {
    const texts = ['11월 3일 (화) 오후 3', '1월 3일 (화요일) 오전 12', '13월 3일 (화) 오후 3'];
    expect(await read("MMM d'일' (E) a h", texts, 'ko')).toEqual([
      '1970-11-03T15:00:00Z',
      '1970-01-03T00:00:00Z',
      null,
    ]);
  });

  it('are those that were written, in any order and with any signs between', async () => {
    const arbitrary = fc.record({
      parts: fc.shuffledSubarray(['yyyy', 'MM', 'dd', 'HH', 'mm', 'ss'], { minLength: 6 }),
      signs: fc.array(fc.constantFrom('', ' ', '  ', '-', '/', ':', '.', ', ', '_', '|', '(', '\t', '년', "''"), {
        minLength: 7,
        maxLength: 7,
      }),
    });
    for (const { parts, signs } of fc.sample(arbitrary, { numRuns: 30, seed: FUZZ_SEED })) {
      const pattern = `${signs[6]}${parts.map((part, index) => part + (signs[index] ?? '')).join('')}`;
      const rows = [0, 1_794_711_601_234, -1_234_567_891_234, 253_370_764_799_999].map((ms) => ({
        t: Temporal.Instant.fromEpochMilliseconds(ms),
      }));
      const text = `date(string(t, ${quoted(pattern)}), ${quoted(pattern)})`;
      const expression = planned(text, [{ name: 't', type: 'date' }], 'UTC');
      const duckdb = await (await DuckdbRows.open([{ name: 't', type: 'date' }], rows)).values(expression, 'UTC');
      const wanted = rows.map(({ t }) => `${t.round({ smallestUnit: 'second', roundingMode: 'floor' })}`);
      expect({ pattern, local: evaluateLocally(expression, rows, 'UTC').map(String) }).toEqual({
        pattern,
        local: wanted,
      });
      expect({ pattern, duckdb: duckdb.map(String) }).toEqual({ pattern, duckdb: wanted });
    }
  });

  it('are the same on both evaluators for drawn patterns and texts', async () => {
    const letters = 'yyyy yy M MM MMM MMMM d dd H HH h hh m mm s ss S SSS SSSSSS a E EEE EEEE u D DDD Z X'.split(' ');
    const signs = ['', ' ', '-', '/', ':', '.', "'T'", ', ', '  ', '[', "'5'", "'e'"];
    const pattern = fc
      .array(fc.tuple(fc.constantFrom(...letters), fc.constantFrom(...signs)), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.flat().join(''))
      .filter((text) => !datePatternError({ text, offset: (index) => index }));
    const piece = fc.constantFrom(
      ...['2026', '26', '69', '1', '09', '5', '12', '31', '366', '23', '59', '60', '000456', '930'],
      ...['Nov', 'november', 'MAR', 'Marc', 'Mon', 'sunday', 'PM', 'am', 'Z', '+09', '-0930', '+09:30', 'x'],
    );
    const text = fc
      .array(fc.tuple(piece, fc.constantFrom('', ' ', '-', '/', ':', '.', 'T', ', ', '\t', '\n', '[', '5', 'e')), {
        maxLength: 7,
      })
      .map((parts) => parts.flat().join(''));
    const texts = fc.sample(text, { numRuns: 150, seed: FUZZ_SEED });
    for (const one of fc.sample(pattern, { numRuns: 40, seed: FUZZ_SEED })) {
      // Texts that a pattern has written fit it, and what is around them may be anything.
      const at = Temporal.Instant.from('2026-11-05T09:07:03.045Z');
      const [written] = evaluateLocally(
        planned(`string(t, ${quoted(one)})`, [{ name: 't', type: 'date' }], 'UTC'),
        [{ t: at }],
        'UTC',
      );
      await read(one, [...texts, `${written}`, ` ${written} x`, `${written}7`, `${written}`.toUpperCase()]);
    }
  });
});
