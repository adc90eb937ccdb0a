// The JSON of records: it accepts the same texts as JSON.parse, with the same values except for longs and equal keys.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import { readObjects } from '#query/language/json-text.ts';
import type { Value } from '#query/model/values.ts';
import { lenientJson, recordIn, recordInSlices, strictJson } from './strict-json.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The value as JSON.parse would return it. */
function plain(value: Value | undefined): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? Object.fromEntries(value.entries().map(([key, item]) => [key, plain(item)])) : value;
}

const MARKS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\\u00',
  '0',
  '-',
  '+',
  '.',
  'e',
  'tru',
  'null',
  ' ',
  '\t',
  '\n',
  '\u0001',
  '\u00a0',
];

/** Valid JSON, and texts that result when a piece of it is inserted, removed or overwritten. */
const broken = fc
  .tuple(
    fc.json({ stringUnit: 'binary' }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...MARKS), fc.nat({ max: 2 })), { maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((made, [where, mark, removed]) => {
      const at = where % (made.length + 1);
      return made.slice(0, at) + mark + made.slice(at + removed);
    }, text),
  );

describe('JSON', () => {
  it('is accepted exactly if JSON.parse accepts it', () => {
    fc.assert(
      fc.property(broken, (text) => {
        expect(strictJson(text) !== undefined).toBe(isJson(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('has the value that JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
        expect(stringOf(plain(strictJson(text)))).toBe(stringOf(JSON.parse(text)));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', new Map([['a', 1n]])],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', 2 ** 63],
    ['-9223372036854775808', -9223372036854775808n],
    ['[1.0,1e2,-0,-0.0,1e400]', [1, 100, 0n, -0, null]],
    [
      '{"10":1,"2":2}',
      new Map([
        ['10', 1n],
        ['2', 2n],
      ]),
    ],
    ['{"__proto__":1}', new Map([['__proto__', 1n]])],
    ['"\\ud83d\\ude00\\n"', '😀\n'],
    [`${'['.repeat(500)}${']'.repeat(500)}`, expect.any(Array)],
    [`${'['.repeat(600)}${']'.repeat(600)}`, undefined],
    ['['.repeat(1_000_000), undefined],
    ['01', undefined],
    ['1.', undefined],
    ['[1,]', undefined],
    ['{"a":1,}', undefined],
    ["{'a':1}", undefined],
    ['NaN', undefined],
    ['"a\nb"', undefined],
    ['"\\x"', undefined],
    ['1 2', undefined],
    ['', undefined],
  ])('%s', (text, value) => {
    expect(strictJson(text)).toEqual(value);
  });
});

const stringOf = (value: unknown): string => JSON.stringify(sorted(value));

/** Sorts keys, because JSON.parse moves keys that are whole numbers to the front. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
};

describe('A record in slices', () => {
  it('is the one that is read at once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
        const text = JSON.stringify(record);
        expect(runToEnd(recordInSlices(text))).toEqual(recordIn(text));
      }),
    );
  });

  it.each([
    ['members', `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
    ['elements', `{"a":[${'1,'.repeat(80_000)}1]}`],
    ['elements within others', `{"a":[${'[{"b":1}],'.repeat(80_000)}1]}`],
  ])('lets others run while it reads very many %s', (_, text) => {
    const work = recordInSlices(text);
    let slices = 1;
    let step = work.next();
    for (; !step.done; step = work.next()) slices += 1;
    expect(slices).toBeGreaterThan(100);
    expect(step.value).toEqual(recordIn(text));
  });
});

describe('Lenient JSON', () => {
  it.each([
    [`{'a':1}`, { a: 1 }],
    [`{a:{b:1}, 'c d':['x','y']}`, { a: { b: 1 }, 'c d': ['x', 'y'] }],
    [`{1-a.b@_: "it's", k : 'a "b" \\' \\n \\u00e9'}`, { '1-a.b@_': "it's", k: 'a "b" \' \n é' }],
    [`{null:null, 한글:true, a:1, 'a':2}`, { null: null, 한글: true, a: 1 }],
    ['[{}]', [{}]],
  ])('reads %s as the command json does, which strict JSON does not', (text, value) => {
    expect(plain(lenientJson(text))).toEqual(value);
    if (text !== '[{}]') expect(strictJson(text)).toBeUndefined();
    const [row] = runToEnd(readObjects({ text, offset: (index) => index }));
    expect(plain(row)).toEqual(Array.isArray(value) ? value[0] : value);
  });

  it.each(["{a:'x}", "{'a':1,}", '{a b:1}', '{:1}', '{a:x}', "'", "{'a\n':1}", "{a:'\\x'}", '{a:NaN}'])(
    'does not read %s, nor does the command json',
    (text) => {
      expect(lenientJson(text)).toBeUndefined();
      expect(() => runToEnd(readObjects({ text, offset: (index) => index }))).toThrow();
    },
  );

  it('reads what strict JSON reads, with the same value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(lenientJson(text)).toEqual(strictJson(text));
      }),
    );
  });
});
