// Small tables with nulls, mixed types, missing fields and an overflow (16.3), which shrink row by row.

import fc from 'fast-check';
import type { MapValue, Value } from '#query/model/values.ts';
import { GROUP, GROUP_ENTRIES } from '#test/support/expressions.ts';
import type { World } from '#test/support/query-examples.ts';
import { poolValues } from '#test/support/value-pools.ts';

export const LINES = [
  ...[
    'x=1 y="q r" z',
    '{"k":1,"a":"j"}',
    'a,b',
    '',
    'x="a\\"b" x=2 =3',
    '{"n":2.5,"s":[1,{"q":null}],"m":{}}',
    '[1,"b"]',
  ],
  ...[
    'user=kim from 10.0.0.1',
    'k=v;k2=v2',
    '"a,b","c""d"',
    '{"a":1,}',
    'line1\nx=2',
    '{"_time":1,"line":"own"}',
    'x:1, y:"2, 3"',
  ],
];
export const WORDS = [
  'a',
  'B',
  '',
  '5',
  ' 5 ',
  '1e2',
  'true',
  '한글',
  'e\u0301',
  '😀',
  'x*',
  '100%',
  "'; drop --",
  '10.0.0.1',
  '2026-01-31',
];
const SMALL: readonly Value[] = [0n, 1n, 2n, 3n, 5n, 10n, 500n, 2.5, -1.5, 1, 0.1, true, false];
export const TIMES = [
  ...['2026-11-15T00:10:00Z', '2026-11-15T00:50:00Z', '2026-11-14T14:59:59Z', '2026-11-14T15:00:00Z'],
  ...['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'],
].map((text) => Temporal.Instant.from(text));

export const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const mixed = fc.oneof(
  { weight: 3, arbitrary: oneOf<Value>([null, ...SMALL]) },
  { weight: 3, arbitrary: oneOf<Value>(WORDS) },
  { weight: 2, arbitrary: oneOf(poolValues('any')) },
);

export const COLUMNS: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  n: oneOf<Value>([null, 1n, 2n, 3n, 10n]),
  s: oneOf<Value>([null, ...WORDS]),
  m: mixed,
  d: oneOf<Value>([null, 0.5, 2.5, -1.5, 100.25, 3n]),
  t: oneOf<Value>([null, ...TIMES]),
  l: fc.oneof(oneOf<Value>([null, [1n, 2n], [], ['a', null]]), oneOf(poolValues('list'))),
  line: oneOf<Value>([...LINES, null]),
  ip: oneOf<Value>([null, '10.1.2.3', '192.168.0.7', '2001:DB8::1', '::ffff:10.0.0.1', 'no', 5n]),
  rare: mixed,
  'odd "name"': oneOf<Value>([1n, 'x']),
};

/** Fields that are no columns of their table. */
export const UNDECLARED = ['rare', 'odd "name"'];

const row: fc.Arbitrary<MapValue> = fc
  .tuple(oneOf(TIMES), fc.record(COLUMNS, { requiredKeys: ['n'] }))
  .map(
    ([time, fields]) =>
      new Map<string, Value>([
        ['_time', time],
        ...Object.entries(fields).map(([name, value = null]) => [name, value] as const),
      ]),
  );

export const smallWorld: fc.Arbitrary<World & { readonly tables: Readonly<Record<'t' | 'r', readonly MapValue[]>> }> =
  fc
    .record({ t: fc.array(row, { maxLength: 9 }), r: fc.array(row, { maxLength: 5 }) })
    .map((tables) => ({ tables, lookups: LOOKUPS, groups: { [GROUP]: GROUP_ENTRIES } }));

const LOOKUPS = {
  users: {
    key: 'user',
    rows: [
      { user: 'a', dept: 'x', floor: 3 },
      { user: '5', dept: null, floor: 1 },
    ],
  },
};
