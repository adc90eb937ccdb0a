// A fixed pool of values per type (16.2 of the language reference), and rows of them.

import fc from 'fast-check';
import type { KnownColumn } from '#query/surroundings.ts';
import type { ColumnType, Value } from '#query/values.ts';
import type { TestRow } from '#test/support/expressions.ts';

const instant = (text: string) => Temporal.Instant.from(text);

const LONGS: Value[] = [null, 0n, 1n, -1n, 5n, 500n, 2n, 2n ** 53n + 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), 256n];
const DOUBLES: Value[] = [
  null,
  0,
  -0,
  0.5,
  -2.5,
  1e-7,
  1e21,
  5,
  2 ** 53,
  1.5e300,
  499.6,
  -1e15,
  9007199254740994,
  1794711600.123,
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
];
export const STRINGS: string[] = [
  ...['', '5', ' 5 ', '1e400', '0x1f', '-7', '2.50', '+3', '007', '1_000', '5.', '.5', '1e2', '-0', 'nan', 'Infinity'],
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775809',
    '9007199254740993',
    'true',
    'false',
    'TRUE',
  ],
  ...['MixedCase', 'straße', 'İstanbul', 'ÀÉ', 'ΣΑΣ', '한글 텍스트', '😀astral😀', '𝔸b', 'é', 'null', 'a.b'],
  ...[
    '%',
    '_',
    '\\',
    '*',
    'a*b',
    '100%_\\x',
    'C:\\Windows\\x',
    'a_b',
    'line1\nline2',
    ' \ta\r\n',
    '"',
    "'",
    "'); drop table pool; --",
  ],
  ...['2026-01-31', '2026-03-08 02:30:00', '2026-11-01 01:30:00', '2026-11-15T12:00:00.123Z', '2026-11-15 12:00+0900'],
  ...[
    '2026-11-15 12:00:00-05:30',
    '2026-02-30',
    '2026-1-1',
    '15/11/2026',
    '0000-01-01',
    '9999-12-31 23:59:59',
    '2026-11-15 24:00',
  ],
  ...[
    '10.0.0.1',
    '10.1.2.3',
    '192.168.0.7',
    '256.1.1.1',
    '01.2.3.4',
    '10.0.0.1:80',
    '2001:DB8::1',
    '2001:db8:0:0:1:0:0:1',
  ],
  ...['::ffff:10.1.2.3', '::', '::1', 'fe80::1%eth0', '[::1]', '1:2:3:4:5:6:7:8', '10.0.0.0/8', '2001:db8::/32'],
  ...[
    'a,b,,c',
    'k=v',
    'err 42',
    '%41%zz%ff+',
    'a%20b',
    '415a',
    'YWJj',
    'YWI=',
    'YW I=',
    '{"$date":5}',
    '[1,2]',
    '$1',
    '\u0000',
    'a\u001fb',
    '\\u001f',
  ],
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
];
const BINARIES: Value[] = [
  null,
  new Uint8Array(),
  new Uint8Array([65, 90]),
  new Uint8Array([255, 0]),
  new Uint8Array([195, 169]),
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
