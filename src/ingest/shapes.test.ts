import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordOf } from './record.ts';
import { Shapes } from './shapes.ts';

const ZONE = 'Asia/Seoul';
const ARRIVAL = { at: 1_763_175_600_000, zone: ZONE };

/** As decode does it: recognised if possible, parsed otherwise. */
function read(shapes: Shapes, text: string) {
  const known = shapes.recognise(text);
  if (known) return { isKnown: true, record: { ...known, time: known.time ?? ARRIVAL.at } };
  const record = recordOf(text.trim(), ARRIVAL);
  if (typeof record !== 'string') shapes.learn(text.trim(), record.shape);
  return { isKnown: false, record };
}

describe('A record is recognised', () => {
  it.each([
    ['{"a":1,"b":"x"}', '{"a":-22,"b":"y z \\"quoted\\" \\\\ \\n 한글"}'],
    ['{"a": 1, "b": "x"}', '{ "a" : 3 , "b" : "" }  '],
    ['{"a":0.5}', '{"a":123456.000100}'],
    ['{"a":true,"b":null}', '{"a":false,"b":null}'],
    ['{"_time":1763175600001,"a":1}', '{"_time":1763175600002,"a":2}'],
    ['{"a":1,"_time":"2026-11-15 12:00:00+0900"}', '{"a":2,"_time":"2026-11-15T03:00:00.250Z"}'],
    ['{"a":1,"_time":5, "b":2}', '{"a":1, "_time": 6 ,"b":2}'],
    ['{ "_time":5}', '{ "_time" : 6 }'],
  ])('after %s: %s', (first, second) => {
    const shapes = new Shapes(ZONE);
    expect(read(shapes, first).isKnown).toBe(false);
    const { isKnown, record } = read(shapes, second);
    expect(isKnown).toBe(true);
    expect(comparable(record)).toEqual(comparable(recordOf(second.trim(), ARRIVAL)));
  });
});

describe('A record is left to the parser', () => {
  it.each([
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['{"a":1,"b":2}', '{"a":1}'],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":1}', '{"a":1,"a":2}'],
    ['{"a":1,"a":2}', '{"a":1,"a":3}'],
    ['{"a":[1]}', '{"a":[1]}'],
    ['{"a":{"b":1}}', '{"a":{"b":1}}'],
    ['{"a":1}', '{"a":1e3}'],
    ['{"_time":1.5}', '{"_time":1.5}'],
    ['{"a":1}', '{"a":1234567890123456}'],
    ['{"a":1}', '{"a":01}'],
    ['{"a":1}', '{"a":1.}'],
    ['{"a":1}', '{"a":-}'],
    ['{"a":1}', '{"a":1}}'],
    ['{"a":1}', '{"a":1'],
    ['{"a":1}', '{"a":1,}'],
    ['{"a":"x"}', '{"a":"\\u0000"}'],
    ['{"a":"x"}', '{"a":"tab\tinside"}'],
    ['{"a":"x"}', '{"a":"x\\"}'],
    ['{"_id":1}', '{"_id":1}'],
    ['{"_time":1}', '{"_time":null}'],
    ['{"_time":"2026-11-15"}', '{"_time":"yesterday"}'],
    ['{}', '{}'],
    ['{"a":1}', '   {"a":1}'],
  ])('after %s: %s', (first, second) => {
    const shapes = new Shapes(ZONE);
    read(shapes, first);
    expect(read(shapes, second).isKnown).toBe(false);
  });
});

const name = fc.constantFrom('a', 'b', 'ab', '_time', '_id', 'é', '', 'a"b');
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constantFrom(0, -0, 1.5, 2 ** 53, 1e300));
const value = fc.oneof(
  number,
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  fc.constantFrom(null, [1], { x: 1 }, '2026-11-15T03:00:00Z', 1_763_175_600_000),
);
const line = fc.array(fc.tuple(name, value), { maxLength: 5 }).map((members) => {
  const written = members.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`);
  return `{${written.join(',')}}`;
});
/** A line with something done to it. */
const mutated = fc
  .tuple(line, fc.nat(60), fc.constantFrom('', ' ', '"', '\\', ',', '}', '1', '.', 'e', '\t'))
  .map(([text, at, piece]) => (text.slice(0, at) + piece + text.slice(at + 1)).toWellFormed());

it('is never anything else than the parser would make of it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(line, line, mutated), { minLength: 2, maxLength: 30 }), (lines) => {
      const shapes = new Shapes(ZONE);
      for (const text of [...lines, ...lines]) {
        const { record } = read(shapes, text);
        expect(comparable(record)).toEqual(comparable(recordOf(text.trim(), ARRIVAL)));
      }
    }),
    { numRuns: 2000 },
  );
});

it('is the same among others like it as alone', () => {
  const template = fc.constantFrom(
    (n: number, s: string) => `{"a":${n},"b":${JSON.stringify(s)}}`,
    (n: number, s: string) => `{"_time":${n},"é":${JSON.stringify(s)}}`,
    (n: number, s: string) => `{"x":${JSON.stringify(s)} ,"_time": ${n}}  `,
  );
  const alike = fc
    .tuple(template, fc.integer(), fc.string({ unit: 'binary', maxLength: 8 }))
    .map(([of, n, s]) => of(n, s));
  const several = fc.array(fc.oneof({ weight: 8, arbitrary: alike }, line, mutated), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(several, fc.constantFrom('\n', '\r\n'), (lines, ending) => {
      const shapes = new Shapes(ZONE);
      for (const text of lines) read(shapes, text);
      const bytes = Buffer.from(lines.map((text) => text.replaceAll('\n', ' ') + ending).join(''));
      const text = bytes.toString('latin1');
      for (let begin = 0; begin < bytes.length; ) {
        const run = shapes.run({ bytes, text, begin, arrival: ARRIVAL.at, maxLineBytes: 1000 });
        const expected = (from: number, end: number) => recordOf(bytes.toString('utf8', from, end).trim(), ARRIVAL);
        for (const [index, record] of (run?.records() ?? []).entries()) {
          const [from = 0, end = 0] = [run?.begins[index], run?.ends[index]];
          expect(bytes[from]).toBe(0x7b);
          expect(comparable(record)).toEqual(comparable(expected(from, end)));
        }
        begin = run?.ends.at(-1) ?? bytes.indexOf('\n', begin) + 1;
      }
    }),
    { numRuns: 500 },
  );
});

it('is told by the run that it is in, whatever has been recognised since', () => {
  const shapes = new Shapes(ZONE);
  const others = Array.from({ length: 20 }, (_, n) => `{"other${n}":1}`);
  for (const text of ['{"a":1}', ...others.slice(0, 7)]) read(shapes, text);
  const bytes = Buffer.from('{"a":2}\n{"a":3}\n');
  const text = bytes.toString('latin1');
  const run = shapes.run({ bytes, text, begin: 0, arrival: ARRIVAL.at, maxLineBytes: 1000 });
  for (const other of others) read(shapes, other);
  expect(run?.records().map((record) => record.text)).toEqual(['{"a":2}', '{"a":3}']);
});

/** Texts may differ in blanks; a fraction may be a whole number, which either type of column takes. */
function comparable(record: ReturnType<typeof recordOf>) {
  if (typeof record === 'string') return record;
  const { time, text, shape } = record;
  // Names that are numbers come first in an object of the host.
  const types = shape.names.map((name, index) => [name, shape.types[index] === 'double' ? 'long' : shape.types[index]]);
  return { time, fields: JSON.parse(text), types: Object.fromEntries(types), count: types.length };
}
