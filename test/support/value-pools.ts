// A fixed pool of values per type (16.2 of the language reference), and rows of them.

import fc from 'fast-check';
import type { KnownColumn } from '#query/model/columns.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { TestRow } from '#test/support/expressions.ts';
import { STRINGS } from '#test/support/value-texts.ts';

const instant = (text: string) => Temporal.Instant.from(text);

const LONGS: Value[] = [
  ...[
    null,
    0n,
    1n,
    -1n,
    2n,
    -2n,
    3n,
    5n,
    -7n,
    16n,
    256n,
    500n,
    2n ** 31n,
    -(2n ** 31n) - 1n,
    2n ** 32n,
    2n ** 32n - 1n,
  ],
  ...[2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 62n + 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 63n) + 1n],
  ...[99_999_999_999n, 100_000_000_000n, 1_794_711_600n, 253_402_300_800_000n],
];
const DOUBLES: Value[] = [
  ...[null, 0, -0, 0.5, -0.5, 1.5, 2.5, -2.5, 5, 0.1, 0.1 + 0.2, 1 / 3, 1.005, 2.675, 4.35, 499.6, -1e15, 1e15 + 0.3],
  ...[1e-7, -1e-7, 0.000001, 123e-20, 1e21, 1e20, -1e21, 123456789012345680000, 1.5e300, 5e-324, Number.MAX_VALUE],
  ...[
    -Number.MAX_VALUE,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
    -(2 ** 63),
    2 ** 63 - 1024,
    2 ** 31 - 0.5,
    9.5e18,
    1e11,
    99999999999.9,
  ],
  ...[1794711600.123, 1794711600123.7, -62135596800.5, 253402300799.999],
];
const BOOLS: Value[] = [null, true, false];
const DATES: Value[] = [
  null,
  instant('1970-01-01T00:00:00Z'),
  // Both clock changes of New York, around and in them.
  instant('2026-03-08T06:59:59.999Z'),
  instant('2026-03-08T07:00:00Z'),
  instant('2026-11-01T05:30:00Z'),
  instant('2026-11-01T06:30:00Z'),
  instant('2026-01-31T15:00:00Z'),
  instant('2024-02-29T12:34:56.789Z'),
  instant('2026-12-31T15:00:00Z'),
  instant('1969-12-31T23:59:59.999Z'),
  instant('1900-01-01T00:00:00.001Z'),
  instant('1988-05-08T03:10:00Z'),
  instant('2005-04-03T07:30:00Z'),
  instant('2035-07-01T00:30:00Z'),
  // Half an hour in Lord Howe, the day that Apia left out, midnight in São Paulo, Dublin the other way round.
  instant('2026-10-03T15:29:59.999Z'),
  instant('2026-04-04T15:15:00Z'),
  instant('2011-12-30T09:59:59Z'),
  instant('2011-12-30T10:00:00Z'),
  instant('2018-11-04T02:59:59Z'),
  instant('2018-11-04T03:00:00Z'),
  instant('2026-03-29T01:00:00Z'),
  instant('2026-10-25T00:30:00Z'),
  // Weeks that belong to another year, and the ends of what dates can be.
  instant('2027-01-03T12:00:00Z'),
  instant('2020-12-31T23:59:59.999Z'),
  instant('2100-02-28T15:00:00Z'),
  instant('0001-01-01T00:00:00Z'),
  instant('9999-12-31T23:59:59.999Z'),
];
const LISTS: Value[] = [
  null,
  [],
  [1n, 2n],
  [1n, null, 'a'],
  [2n, 1n, 2, 2.5, '2'],
  [[1n, [2n]], []],
  ['b', 'a', 'b', ''],
  [instant('2026-11-01T05:30:00Z'), true, new Map([['k', 1n]])],
  [1e21, -0, 'x"y', '한'],
  [null],
  [null, null, 1n],
  [1n, 1, '1', true],
  [2n ** 63n - 1n, 1n],
  [2n ** 63n - 1n, 1n, 0.5],
  ['5', ' 6 ', 'x', 1e308, 1e308],
  [new Uint8Array([65, 90]), 'QVo='],
  [new Map<string, Value>([['a', [1n, new Map([['b', null]])]]]), []],
  ['10.0.0.1', '10.0.0.0/8', null, '2026-01-31'],
];
const MAPS: Value[] = [
  null,
  new Map(),
  new Map<string, Value>([['a', 1n]]),
  new Map<string, Value>([
    ['b', 1],
    ['a', 'x'],
    ['', null],
  ]),
  new Map<string, Value>([
    ['a/b', [1n]],
    ['~', new Map([['q"', 2.5]])],
    ['5', true],
  ]),
  new Map<string, Value>([
    ['b', 2n],
    ['a', 1n],
  ]),
  new Map<string, Value>([
    ['a', 1],
    ['b', 2],
  ]),
  new Map<string, Value>([
    ['\u{10400}', instant('2026-11-01T05:30:00Z')],
    ['\uff21', new Uint8Array([1])],
    ['e\u0301', null],
  ]),
  new Map<string, Value>([['5', [null, new Map()]]]),
];
const BINARIES: Value[] = [
  null,
  new Uint8Array(),
  new Uint8Array([65, 90]),
  new Uint8Array([255, 0]),
  new Uint8Array([195, 169]),
  new Uint8Array([237, 160, 128]),
  new Uint8Array([239, 187, 191, 65]),
  new Uint8Array([0]),
  new Uint8Array([240, 159, 152, 128]),
  new Uint8Array([192, 128]),
];

const MIXED: Value[] = [LONGS, DOUBLES, BOOLS, DATES, STRINGS, LISTS, MAPS, BINARIES].flat();

const POOLS = {
  b: { type: 'bool', values: BOOLS },
  l: { type: 'long', values: LONGS },
  l2: { type: 'long', values: LONGS },
  d: { type: 'double', values: DOUBLES },
  d2: { type: 'double', values: DOUBLES },
  t: { type: 'date', values: DATES },
  t2: { type: 'date', values: DATES },
  s: { type: 'string', values: [null, ...STRINGS] },
  s2: { type: 'string', values: [null, ...STRINGS] },
  li: { type: 'list', values: LISTS },
  m: { type: 'map', values: MAPS },
  x: { type: 'binary', values: BINARIES },
  a: { type: 'any', values: MIXED },
  a2: { type: 'any', values: MIXED },
  a3: { type: 'any', values: MIXED },
} as const satisfies Record<string, { type: KnownColumn['type']; values: readonly Value[] }>;

export const POOL_COLUMNS: readonly KnownColumn[] = Object.entries(POOLS).map(([name, { type }]) => ({ name, type }));

/** All values of a column of this type. */
export const poolValues = (wanted: ColumnType): readonly Value[] =>
  Object.values(POOLS).find(({ type }) => type === wanted)?.values ?? [];

/** Rows in which each column goes through its pool at its own pace, so that all values meet sooner or later. */
export function poolRows(count: number, seed: number): TestRow[] {
  const random =
    fc.sample(fc.array(fc.nat(), { minLength: count * 16, maxLength: count * 16 }), { seed, numRuns: 1 })[0] ?? [];
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(
      Object.entries(POOLS).map(([name, { values }], column) => [
        name,
        values[(random[row * 16 + column] ?? 0) % values.length] ?? null,
      ]),
    ),
  );
}
