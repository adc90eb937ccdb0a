import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordOf } from '#ingest/decode/record.ts';
import { LineScanner } from './line-scanner.ts';

const ZONE = 'Asia/Seoul';
const ARRIVAL = { at: 1_763_175_600_000, zone: ZONE };

const scanned = (text: string) => new LineScanner(ZONE).record(text, ARRIVAL.at);

describe('A line is a record without being parsed', () => {
  it.each([
    '{}',
    '{"a":-22,"b":"y z \\"quoted\\" \\\\ \\n 한글 \\u00e9"}',
    '{ "a" : 3 , "b" : "" }  ',
    '{"a":123456.000100,"b":1.0,"c":-0,"d":0.5}',
    '{"a":1e3,"b":1.5e-3,"c":1E400,"d":123456789012.00000000001}',
    '{"a":9007199254740991,"b":9007199254740993,"c":123456789012345678901234567890,"d":9007199254740992.5}',
    '{"a":false,"b":null,"c":true}',
    '{"_time":1763175600002,"a":2}',
    '{"a":2,"_time":"2026-11-15T03:00:00.250Z"}',
    '{"a":2,"_time":"2026-11-15 12:00:00+0900","b":1}',
    '{"_time":null,"a":2}',
    '{ "_time" : 6 }',
    '{"_id":7,"_table":"web","a":1,"_node":"n","b":2}',
    '{"a":[1,{"b":[]},"]"],"b":{},"c":{"x":{"y":[[]]}, "z" : -1.5e3}}',
    '{"é":1,"":2,"__proto__":3,"10":4}',
  ])('%s', (text) => {
    const record = scanned(text);
    expect(record && comparable(record)).toEqual(comparable(recordOf(text.trim(), ARRIVAL)));
  });
});

describe('A line is left to the parser', () => {
  it.each([
    '{"a":1,"a":2}',
    '{"_time":1.5}',
    '{"_time":1763175600000.0}',
    '{"_time":true}',
    '{"_time":"yesterday"}',
    '{"_time":999999999999999}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":1e}',
    '{"a":-}',
    '{"a":1}}',
    '{"a":1',
    '{"a":1,}',
    '{,}',
    '{"a" 1}',
    '{"a":}',
    '{"a":[1,]}',
    '{"a":{"b"}}',
    '{"a":[1}]',
    '{"a":tru}',
    '{"a":nullx}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":"\\x"}',
    '{"a":"tab\tinside"}',
    '{"a":"x\\"}',
    '{"a\\"b":1}',
    `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
    '   {"a":1}',
    '[1]',
    '',
  ])('%s', (text) => {
    expect(scanned(text)).toBeUndefined();
  });
});

const name = fc.constantFrom('a', 'b', 'ab', '_time', '_id', '_table', 'é', '', 'a"b', '한글');
const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('0', '-0', '1.0', '1.50', '9007199254740993', '1e300', '1e3', '12345678901234567890', '1E-7'),
);
const scalar = fc.oneof(
  number,
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    'true',
    'false',
    'null',
    '"2026-11-15T03:00:00Z"',
    '"2026-11-15 12:00"',
    '1763175600000',
    '"\\u00e9"',
  ),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  map: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 3 })
    .map((members) => `{${members.map(([key, item]) => `${JSON.stringify(key)} : ${item}`).join(',')}}`),
}));
const line = fc
  .tuple(fc.array(fc.tuple(name, fc.oneof(scalar, value)), { maxLength: 6 }), fc.constantFrom(',', ' , ', ',\t'))
  .map(([members, comma]) => `{${members.map(([key, item]) => `${JSON.stringify(key)}:${item}`).join(comma)}}`);
/** A line with something done to it. */
const mutated = fc
  .tuple(line, fc.nat(60), fc.constantFrom('', ' ', '"', '\\', ',', '}', ']', '1', '.', 'e', '\t', ':'))
  .map(([text, at, piece]) => (text.slice(0, at) + piece + text.slice(at + 1)).toWellFormed());
const ragged = fc.array(fc.oneof({ weight: 4, arbitrary: line }, mutated), { minLength: 1, maxLength: 30 });

it('is never anything else than the parser would make of it, alone or among others', () => {
  fc.assert(
    fc.property(ragged, fc.constantFrom('\n', '\r\n'), (lines, ending) => {
      const scanner = new LineScanner(ZONE);
      const bytes = Buffer.from(lines.map((text) => text.replaceAll(/[\r\n]/g, ' ') + ending).join(''));
      const parsed = (from: number, end: number) => recordOf(bytes.toString('utf8', from, end).trim(), ARRIVAL);
      for (let begin = 0; begin < bytes.length; ) {
        const batch = scanner.scan({ bytes, begin, end: bytes.length, arrival: ARRIVAL.at, maxLineBytes: 10_000 });
        for (const [index, record] of (batch?.records() ?? []).entries()) {
          const from = batch?.begins[index] ?? 0;
          const end = batch?.ends[index] ?? 0;
          expect(bytes[from]).toBe(0x7b);
          expect(comparable(record)).toEqual(comparable(parsed(from, end)));
        }
        begin = batch?.ends.at(-1) ?? bytes.indexOf('\n', begin) + 1;
      }
    }),
    { numRuns: 1000 },
  );
});

it('finds what ends or escapes a text at any place of it', () => {
  for (let index = 0; index < 12; index += 1) {
    const text = (letter: string) => `{"t":"${'x'.repeat(index)}${letter}${'y'.repeat(11 - index)}"}`;
    for (const letter of ['z', '\\\\', '\\"', '\\t', '\\u00e9', '\u007f', 'é', '한', '😀']) {
      const record = scanned(text(letter));
      expect(record && comparable(record)).toEqual(comparable(recordOf(text(letter), ARRIVAL)));
    }
    for (const letter of ['"', '\u0001', '\u001f', '\\x', '\n', '\\u0000'])
      expect(scanned(text(letter))).toBe(undefined);
  }
});

it('is no record of its own where the line is longer than the bound', () => {
  const bytes = Buffer.from('{"a":1}\n{"a":"xxxxxxxxxxxxxxxx"}\n{"a":2}\n');
  const batch = new LineScanner(ZONE).scan({ bytes, begin: 0, end: bytes.length, arrival: 0, maxLineBytes: 16 });
  expect(batch?.records().map(({ text }) => text)).toEqual(['{"a":1}']);
});

it('has no more names than there is room for, whatever they are', () => {
  const scanner = new LineScanner(ZONE);
  const known = Array.from({ length: 6000 }, (_, n) => scanner.record(`{"name${n}":1}`, 0) !== undefined);
  expect(known.filter(Boolean).length).toBeLessThanOrEqual(4096);
  expect(known.slice(0, 1000)).not.toContain(false);
  expect(scanner.record('{"name5":"x"}', 0)?.shape).toEqual({ names: ['name5'], types: ['string'] });
});

/** Texts may differ in blanks between their tokens. */
function comparable(record: ReturnType<typeof recordOf>) {
  if (typeof record === 'string') return record;
  const { time, text, shape } = record;
  // Names that are numbers come first in an object of JavaScript.
  const types = shape.names.map((key, index) => [key, shape.types[index]]);
  return { time, fields: JSON.parse(text), types: Object.fromEntries(types), count: types.length };
}
