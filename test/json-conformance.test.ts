// All readers of JSON beside each other: which texts they take, and as which values.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordOf, recordSliced } from '#ingest/decode/record.ts';
import { MalformedJson } from '#kernel/json/json-form.ts';
import { parseExactly, parseJson } from '#kernel/json/parse-json.ts';
import { isJsonSliced, parsePlain, parseSliced } from '#kernel/json/sliced-json.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import { readObjects } from '#query/language/json-text.ts';
import { QueryError } from '#query/model/query-error.ts';
import { lenientJson, recordInSlices, strictFields, strictJson } from '#query/values/formats/strict-json.ts';
import { JsonText, MalformedText } from '#senders/wire/json-text.ts';

/** Of JSON, around a text. */
const BLANKS = /^[ \t\n]+|[ \t\n]+$/g;

const LIMITS = { depth: 100, values: 1_000_000 };
const NOT_READ = Symbol('not read');

/** `record` is JSON that a record or a stored object may hold, `json` any other of RFC 8259. */
type Kind = 'record' | 'json' | 'lenient' | 'none';

const TEXTS: readonly (readonly [text: string, kind: Kind])[] = [
  ['null', 'record'],
  ['true', 'record'],
  ['false', 'record'],
  ['0', 'record'],
  ['-0', 'record'],
  ['-0.0', 'record'],
  ['1', 'record'],
  ['123456789012345', 'record'],
  ['1234567890123456', 'record'],
  ['123456789012345678901234567890', 'record'],
  ['9223372036854775807', 'record'],
  ['9223372036854775808', 'record'],
  ['-9223372036854775809', 'record'],
  ['1.0', 'record'],
  ['1.5e3', 'record'],
  ['1E+2', 'record'],
  ['1e-7', 'record'],
  ['0e0', 'record'],
  ['0.1', 'record'],
  ['""', 'record'],
  ['"a"', 'record'],
  ['"한국어 😀"', 'record'],
  ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', 'record'],
  ['"\\u0041\\u00e9\\uAC00"', 'record'],
  ['"\\ud83d\\ude00"', 'record'],
  ['"\u007f\u00a0\u2028\u2029"', 'record'],
  ['"it\'s"', 'record'],
  ['[]', 'record'],
  ['[ ]', 'record'],
  ['{}', 'record'],
  ['{ }', 'record'],
  ['[1,"a",null,[],{}]', 'record'],
  ['{"a":{"b":[{"c":1}]},"d":2}', 'record'],
  [' { "a" : 1 , "b" : [ 1 , 2 ] } ', 'record'],
  ['\t{"a"\t:\t1}\t', 'record'],
  ['{"":1}', 'record'],
  ['{"a b.c":1,"10":2,"2":3}', 'record'],
  ['{"__proto__":1}', 'record'],
  ['{"a\\u0062":1}', 'record'],
  ['{"a\\\\":1,"a\\"":2}', 'record'],
  ['[[[[[[[[[[]]]]]]]]]]', 'record'],
  [`${'['.repeat(90)}1${']'.repeat(90)}`, 'record'],
  [`"${'a'.repeat(200_000)}"`, 'record'],
  [`"${'\\n'.repeat(100_000)}"`, 'record'],
  [`[${'1,'.repeat(5000)}1]`, 'record'],
  [`${' '.repeat(200_000)}1${' '.repeat(200_000)}`, 'record'],

  ['"\\u0000"', 'json'],
  ['"a\\ud800b"', 'json'],
  ['"\\udc00\\ud800"', 'json'],
  ['{"\\u0000":1}', 'json'],
  ['{"a":["\\uDBFF"]}', 'json'],

  ["'a'", 'lenient'],
  ['\'a "b" c\'', 'lenient'],
  ["'it\\'s'", 'lenient'],
  ['"it\\\'s"', 'lenient'],
  ['{a:1}', 'lenient'],
  ["{'a':1}", 'lenient'],
  ['{a-b.c_d@e:1,1:2}', 'lenient'],
  ['{한글:true}', 'lenient'],
  ['{null:null}', 'lenient'],
  ["[{a:['x']}]", 'lenient'],

  ['', 'none'],
  [' ', 'none'],
  ['nul', 'none'],
  ['nulll', 'none'],
  ['True', 'none'],
  ['NaN', 'none'],
  ['Infinity', 'none'],
  ['-', 'none'],
  ['+1', 'none'],
  ['01', 'none'],
  ['-01', 'none'],
  ['1.', 'none'],
  ['.5', 'none'],
  ['1.e1', 'none'],
  ['1e', 'none'],
  ['1e+', 'none'],
  ['1x', 'none'],
  ['1 2', 'none'],
  ['0x10', 'none'],
  ['1_000', 'none'],
  ['١', 'none'],
  ['"', 'none'],
  ['"a', 'none'],
  ['"a\nb"', 'none'],
  ['"a\tb"', 'none'],
  ['"a\u0000b"', 'none'],
  ['"\\"', 'none'],
  ['"\\x"', 'none'],
  ['"\\N"', 'none'],
  ['"\\u12"', 'none'],
  ['"\\u12G4"', 'none'],
  ['"\\u"', 'none'],
  ['"a" "b"', 'none'],
  ['"a"x', 'none'],
  ["'a", 'none'],
  ['\'a"', 'none'],
  ['[', 'none'],
  [']', 'none'],
  ['[1', 'none'],
  ['[1,', 'none'],
  ['[1,]', 'none'],
  ['[,1]', 'none'],
  ['[1 2]', 'none'],
  ['[1}', 'none'],
  ['{', 'none'],
  ['}', 'none'],
  ['{"a"', 'none'],
  ['{"a":', 'none'],
  ['{"a":1', 'none'],
  ['{"a":1,', 'none'],
  ['{"a":1,}', 'none'],
  ['{"a" 1}', 'none'],
  ['{"a"::1}', 'none'],
  ['{"a":1]', 'none'],
  ['{a b:1}', 'none'],
  ['{:1}', 'none'],
  ['{1}', 'none'],
  ['{"a":1}{"b":2}', 'none'],
  ['\ufeff1', 'none'],
  ['\u00a01', 'none'],
  ['/* */1', 'none'],
  ['1//', 'none'],
  ['{"a":b}', 'none'],
  ['['.repeat(100_000), 'none'],
  ['{"a":'.repeat(100_000), 'none'],
];

const CASES = TEXTS.map(([text, kind]) => ({ text, kind, shown: JSON.stringify(text.slice(0, 40)) }));

function outcome<T>(read: () => T): T | typeof NOT_READ {
  try {
    return read();
  } catch (failure) {
    const isRefusal = [MalformedJson, MalformedText, SyntaxError, QueryError].some((kind) => failure instanceof kind);
    if (!isRefusal) throw failure;
    return NOT_READ;
  }
}

const orNotRead = <T>(value: T | undefined): T | typeof NOT_READ => (value === undefined ? NOT_READ : value);

/** Numbers as doubles and maps as objects with sorted keys, as JSON.parse has the same text. */
const same = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (value === null) return 'nothing';
  if (typeof value === 'bigint' || typeof value === 'number') return `number ${Number(value)}`;
  if (JSON.isRawJSON(value)) return `number ${Number(JSON.stringify(value))}`;
  if (typeof value !== 'object') return `${typeof value} ${value}`;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, item]) => [key, sorted(item)]);
}

function ofBytes(text: string): unknown {
  const json = new JsonText(Buffer.from(text));
  json.skipBlanks();
  json.value();
  json.requireEnd();
  return json.fault ? NOT_READ : JSON.parse(text);
}

/** Each gives a value or NOT_READ. */
const STRICT: Readonly<Record<string, (text: string) => unknown>> = {
  parseJson: (text) => outcome(() => parseJson(text)),
  parseExactly: (text) => outcome(() => parseExactly(text)),
  'parsePlain, doubles': (text) => outcome(() => parsePlain(text, 'doubles')),
  'parsePlain, exact': (text) => outcome(() => parsePlain(text, 'exact')),
  isJsonSliced: (text) => (runToEnd(isJsonSliced(text)) ? JSON.parse(text) : NOT_READ),
  strictJson: (text) => orNotRead(strictJson(text)),
  'the bytes of senders': (text) => outcome(() => ofBytes(text)),
};

const LENIENT: Readonly<Record<string, (text: string) => unknown>> = {
  lenientJson: (text) => orNotRead(lenientJson(text)),
  'the command json': (text) =>
    outcome(() => {
      const [row] = runToEnd(readObjects({ text: `[{"a":${text}}]`, offset: (index) => index }));
      return row?.get('a');
    }),
};

describe.each(CASES)('$shown is read as $kind', ({ text, kind }) => {
  const isJson = kind === 'record' || kind === 'json';
  const expected = isJson ? same(JSON.parse(text)) : undefined;

  it.each(Object.keys(STRICT))('by %s', (reader) => {
    const value = STRICT[reader]?.(text);
    if (isJson) expect(same(value)).toBe(expected);
    else expect(value).toBe(NOT_READ);
  });

  it.each(Object.keys(LENIENT))('by %s', (reader) => {
    const value = LENIENT[reader]?.(text);
    if (isJson) expect(same(value)).toBe(expected);
    else expect(value === NOT_READ).toBe(kind === 'none');
  });

  it('by readers of what is stored', () => {
    const value = outcome(() => runToEnd(parseSliced(text, LIMITS)));
    if (kind === 'record') expect(same(value)).toBe(expected);
    else expect(value).toBe(NOT_READ);
  });

  it('inside of a record, at once, in slices and as a line', () => {
    const line = `{"a":${text.replace(BLANKS, '')}}`;
    const arrival = { at: 1, zone: 'UTC' };
    const record = recordOf(line, arrival);
    expect(runToEnd(recordSliced(line, arrival))).toEqual(record);
    // Bytes that no text may hold are repaired before a record is read, even where JSON does not allow them.
    expect(typeof record === 'object').toBe(isJson || text.includes('\0'));
    const scanned = new LineScanner('UTC').record(line, 1);
    if (scanned) expect(scanned).toEqual(record);
    if (typeof record !== 'object') return;
    expect(record.text.includes('"_repaired":true')).toBe(kind !== 'record');
    expect(runToEnd(recordInSlices(record.text))).toEqual(strictJson(record.text));
    expect(same(strictFields(record.text))).toBe(same(JSON.parse(record.text)));
  });
});

describe('Faults of the command json', () => {
  const fault = (text: string): { term: string; begin: number } => {
    try {
      runToEnd(readObjects({ text, offset: (index) => index }));
    } catch (failure) {
      if (!(failure instanceof QueryError)) throw failure;
      const { detail } = failure.values;
      return {
        term: typeof detail === 'object' ? detail.term : String(failure.code),
        begin: failure.begin,
      };
    }
    throw new Error('nothing is wrong');
  };

  it.each([
    ['', 'json-end', 0],
    ['{', 'json-end', 1],
    ['{"a"', 'json-end', 4],
    ['{"a":', 'json-end', 5],
    ['[{"a":1}', 'json-end', 8],
    ['{"a" 1}', 'json-colon', 5],
    ['{"a":1 "b":2}', 'json-separator', 7],
    ['{,}', 'json-key', 1],
    ['{"a":?}', 'json-value', 5],
    ['{"a":"b', 'json-string', 5],
    ['{"a":"b\nc"}', 'json-string', 5],
    ['{"a":"b\\xc"}', 'json-escape', 7],
    ['{"a":"\\u12"}', 'json-escape', 6],
    ['{"\\q":1}', 'json-escape', 2],
    ['{"a":01}', 'json-number', 5],
    ['{"a":1e400}', 'json-number', 5],
    ['{"a":1} x', 'json-rest', 8],
    [`${'['.repeat(513)}`, 'json-depth', 512],
    ['[{},1,{}]', '10201', 4],
    ['[{}, [2] ]', '10201', 5],
    ['"a"', '10201', 0],
  ])('%s is told as %s at %d', (text, term, begin) => {
    expect(fault(text)).toEqual({ term, begin });
  });
});

/** Pieces of JSON in any order, with different names: few of the texts are well-formed, all of them are almost. */
const pieces = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      "'",
      '\\',
      '\\u00',
      '\\ud8',
      'a',
      '"a"',
      '0',
      '1',
      '-',
      '.5',
      'e',
      'true',
      ' ',
      '\t',
      '\0',
      '가',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.map((part, at) => part.replace('a', `a${at}`)).join(''));

describe('Any text', () => {
  it('is read by all strict readers or by none, with one value', () => {
    fc.assert(
      fc.property(fc.oneof(pieces, fc.json({ stringUnit: 'binary' })), (given) => {
        const text = given.normalize();
        const values = Object.values(STRICT).map((read) => read(text));
        const [first] = values;
        for (const value of values)
          expect(first === NOT_READ ? value : same(value)).toEqual(first === NOT_READ ? first : same(first));
        if (first !== NOT_READ) for (const read of Object.values(LENIENT)) expect(same(read(text))).toBe(same(first));
      }),
      { numRuns: 2000 },
    );
  });

  it('is read by all lenient readers or by none', () => {
    fc.assert(
      fc.property(pieces, (text) => {
        const [value, inCommand] = Object.values(LENIENT).map((read) => read(text));
        expect(inCommand === NOT_READ).toBe(value === NOT_READ);
      }),
      { numRuns: 2000 },
    );
  });
});
