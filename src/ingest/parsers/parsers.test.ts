import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordOf } from '#ingest/decode/record.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { RowRecords } from '#logs/row-record.ts';
import { AT, read, readLine, ZONE } from '#test/support/parsers.ts';
import { PARSERS } from './index.ts';

describe('The example of a parser', () => {
  for (const { code, example } of PARSERS) {
    it(`holds: ${code}`, async () => {
      const { line, configs = {}, fields, time } = example;
      const found = await read(code, line, configs);
      if (code === 'json') delete found.time;
      expect(found).toEqual({ ...fields, ...(time ? { time } : {}) });
    });
  }
});

describe('The csv parser', () => {
  const columns = ['a', 'b', '_time'];
  it.each([
    ['1,2,3', {}, { a: '1', b: '2' }],
    ['"x, ""y""",,""', {}, { a: 'x, "y"' }],
    ['x;"a;b";c', { delimiter: ';' }, { a: 'x', b: 'a;b' }],
    ["x|''''|", { delimiter: '|', quote: "'" }, { a: 'x', b: "'" }],
    ['x\ty\tz', { delimiter: '\t' }, { a: 'x', b: 'y' }],
    ['x::y::z', { delimiter: '::', columns: 'a, b, c' }, { a: 'x', b: 'y', c: 'z' }],
    [
      '2026-11-15 12:00:00,y,z',
      { time_field: 'a' },
      { a: '2026-11-15 12:00:00', b: 'y', time: '2026-11-15T03:00:00Z' },
    ],
    ['1763175600000,y,z', { time_field: 'a' }, { a: '1763175600000', b: 'y', time: '2025-11-15T03:00:00Z' }],
    ['noon,y,z', { time_field: 'a' }, { a: 'noon', b: 'y' }],
    [
      'x,15/Nov/2026:12:00:00 +0900,z',
      { time_field: 'b', time_format: 'dd/MMM/yyyy:HH:mm:ss Z' },
      { a: 'x', b: '15/Nov/2026:12:00:00 +0900', time: '2026-11-15T03:00:00Z' },
    ],
  ])('reads %j with %j', async (line, configs, fields) => {
    expect(await read('csv', line, { columns, ...configs })).toEqual(fields);
  });

  it.each(['', 'a,b', 'a,b,c,d', '"a,b,c', 'a"b,c,d', '"a"b,c,d'])('cannot read %j', async (line) => {
    expect(await read('csv', line, { columns })).toBeUndefined();
  });
});

describe('The key-value parser', () => {
  it.each([
    ['a=1 b="x y" c="q\\"\\\\" d= e', {}, { a: '1', b: 'x y', c: 'q"\\', d: '' }],
    ['a=1 a=2', {}, { a: '1' }],
    ['a: 1, b: "x, y"', { pair_delimiter: ',', key_delimiter: ':' }, { a: '1', b: 'x, y' }],
    ['a="x y"', { quoted: false }, { a: '"x' }],
    ['t=1763175600000 n=1', { time_field: 't' }, { t: '1763175600000', n: '1', time: '2025-11-15T03:00:00Z' }],
  ])('reads %j with %j', async (line, configs, fields) => {
    expect(await read('key-value', line, configs)).toEqual(fields);
  });

  it.each(['', ' ', 'hello world', '=1'])('cannot read %j', async (line) => {
    expect(await read('key-value', line)).toBeUndefined();
  });
});

describe('The regex parser', () => {
  it('gives what its groups matched, and the time among them', async () => {
    const pattern = '^(?<ip>\\S+) (?:- )?(?P<user>\\w*) \\[(?<at>[^\\]]+)\\](?<tail>.*)';
    const configs = { pattern, time_field: 'at', time_format: 'dd/MMM/yyyy:HH:mm:ss Z' };
    expect(await read('regex', '10.0.0.1 - kim [15/Nov/2026:12:00:00 +0900]', configs)).toEqual({
      ip: '10.0.0.1',
      user: 'kim',
      at: '15/Nov/2026:12:00:00 +0900',
      time: '2026-11-15T03:00:00Z',
    });
    expect(await read('regex', 'nothing of that', configs)).toBeUndefined();
    expect(await read('regex', 'x'.repeat(65_536), { pattern: '(?<x>x+)' })).toEqual({ x: 'x'.repeat(65_536) });
    expect(await read('regex', 'x'.repeat(65_537), { pattern: '(?<x>x+)' })).toBeUndefined();
    // A pattern of thousands of states, each of which every letter may lead to.
    const dear = '(?<x>([ab]?){600}c)';
    expect(await read('regex', `${'ab'.repeat(3)}c`, { pattern: dear })).toEqual({ x: `${'ab'.repeat(3)}c` });
    expect(await read('regex', `${'ab'.repeat(30_000)}c`, { pattern: dear })).toBeUndefined();
  });
});

/** What each is tried with on any text. */
const CONFIGS: Readonly<Record<string, readonly Json[]>> = {
  csv: [
    { columns: ['a', '_time'] },
    { columns: ['a', 'b', 'c'], delimiter: '"', quote: ',' },
    { columns: 'a', delimiter: '""' },
  ],
  'key-value': [
    {},
    { pair_delimiter: '==', key_delimiter: '=', time_field: 'a' },
    { pair_delimiter: '"', quoted: false },
  ],
  regex: [
    { pattern: '(?<a>(?:x*)*y)(?<_time>.*)$' },
    { pattern: '(?<a>.*)"(?<b>.*)"', time_field: 'b', time_format: 'd/M/yyyy H:m:s' },
  ],
};

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('<34>', '1 ', 'Oct 11 22:14:15', '2003-10-11T22:14:15.003Z', '[a@1 b="', '"]', '-', ' ', ':'),
  fc.constantFrom(
    '=',
    '==',
    '"',
    '\\',
    ',',
    '{"a":',
    '}',
    '1',
    '_time',
    'x'.repeat(50),
    '가',
    '\ufeff',
    '\t',
    '\u2028',
  ),
);
const anyLine = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('').toWellFormed().replaceAll('\0', ''));

describe('Any line', () => {
  for (const parser of PARSERS) {
    it(`is a sound record or cannot be read: ${parser.code}`, async () => {
      const readers = await Promise.all((CONFIGS[parser.code] ?? [{}]).map((configs) => readLine(parser, configs)));
      fc.assert(
        fc.property(anyLine, fc.constantFrom(...readers), (line, reader) => {
          const found = reader(line, AT);
          if (!found) return;
          const record = new RowRecords().of(found.fields, AT);
          // Reading its text again gives the same record: every name once, sound text, no name of our own.
          const again = recordOf(record.text, { at: AT, zone: ZONE });
          expect(again).toMatchObject({ text: record.text });
          expect(Number.isSafeInteger(found.time ?? 0)).toBe(true);
        }),
        { numRuns: 1000 },
      );
    });

    /** Twice as long takes about twice as long: what is quadratic would not end. */
    it.each(['=', '"', ' ', 'a ', 'a=', '="', ',', '[', '\\', '<', 'x', '{"a":'])(
      `may be a mebibyte of %j: ${parser.code}`,
      async (unit) => {
        for (const configs of CONFIGS[parser.code] ?? [{}]) {
          const reader = await readLine(parser, configs);
          for (const head of ['', '<34>', '<34>1 - h a p m [x a="', 'a="']) {
            reader(`${head}${unit.repeat(2 ** 20 / unit.length)}`, AT);
          }
        }
      },
    );
  }
});
