import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { parseExactly } from '#kernel/json/parse-json.ts';
import * as decode from './raw-params.ts';
import { NumberText, type RawParams, type RawValue } from './raw-params.ts';

const ALL: decode.DecodeOptions = { values: 1_000_000, isKnown: () => true };

function drained(work: decode.Decoding): RawParams {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const queryParams = (query: string) => drained(decode.parseQueryString(query, ALL));
const formParams = (body: Uint8Array) => drained(decode.parseForm(Buffer.from(body), ALL));
const jsonParams = (body: Uint8Array) => drained(decode.parseJsonBody(Buffer.from(body), ALL));

const bytes = (text: string) => new TextEncoder().encode(text);

/** Text that databases and files can hold. */
const storableText = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed());
const pairs = fc.array(fc.tuple(storableText, storableText));

function grouped<T>(members: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [name, value] of members) groups.set(name, [...(groups.get(name) ?? []), value]);
  return groups;
}

/** The message of the Refusal, where there is one. Anything else that is thrown is a defect. */
function complaintOf(read: () => RawParams): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect([error.status, error.code]).toEqual([400, 'invalid-argument']);
    return error.message;
  }
}

describe('A form or query string', () => {
  const encoded = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');

  it('gives back every name and value that was encoded into it, in order', () => {
    fc.assert(
      fc.property(pairs, (members) => {
        const text = members.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
        expect(queryParams(text)).toEqual(grouped(members));
        expect(formParams(bytes(text))).toEqual(grouped(members));
      }),
    );
  });

  it('is read as URLSearchParams reads it, wherever that is exact', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c=&+ ;%2b]*$/), (text) => {
        fc.pre(!/%(?!2b)/.test(text));
        expect(queryParams(text)).toEqual(grouped([...new URLSearchParams(text)]));
      }),
    );
  });

  it('is parsed or refused as malformed, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (body) => {
        expect([undefined, 'malformed request body']).toContain(complaintOf(() => formParams(body)));
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[%0-9a-fA-Fz=&]*$/), (text) => {
        let isStorable = true;
        try {
          isStorable = !decodeURIComponent(text).includes('\0');
        } catch {
          isStorable = false;
        }
        // Names and values are decoded each for itself: an escape cannot span them, so the whole agrees with its parts.
        expect(complaintOf(() => queryParams(text))).toBe(isStorable ? undefined : 'malformed request');
      }),
    );
  });
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON value as it is given: numbers keep their digits, null is not given. */
const asRawValue = (value: Json): RawValue | undefined =>
  value === null ? undefined : typeof value === 'number' ? new NumberText(JSON.stringify(value)) : value;

const storableJson = (value: unknown) => {
  const text = JSON.stringify(value);
  return !text.includes('\\u0000') && JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/.test(text);
};
const jsonValue = fc.jsonValue({ maxDepth: 4 }).filter(storableJson) as fc.Arbitrary<Json>;

/** Inside of others, numbers that no double holds exactly are raw. */
const reread = (value: Json): Json =>
  (typeof value === 'object' ? parseExactly : JSON.parse)(JSON.stringify(value)) as Json;

describe('A JSON body', () => {
  const member = fc.tuple(storableText, jsonValue);

  it('gives back every member that was written into it, repeated names included', () => {
    const blanks = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
    fc.assert(
      fc.property(fc.array(member), blanks, (members, blank) => {
        const written = members.map(([key, value]) => {
          const parts = [JSON.stringify(key), ':', JSON.stringify(value, null, blank.length)];
          return parts.join(blank);
        });
        const text = `${blank}{${blank}${written.join(`${blank},${blank}`)}${blank}}${blank}`;
        const read = members.map(([key, value]) => [key, asRawValue(reread(value))] as const);
        expect(jsonParams(bytes(text))).toEqual(grouped(read.filter(([, value]) => value !== undefined)));
      }),
    );
  });

  it.each(['1', '-1', '0', '1.0', '1e3', '-1.5E-7', '99999999999999999999', '1e400'])(
    'keeps the digits of %s',
    (digits) => {
      expect(jsonParams(bytes(`{"n": ${digits} }`))).toEqual(new Map([['n', [new NumberText(digits)]]]));
    },
  );

  it('is an object that JSON.parse reads, of storable text, at most 100 deep; else it is malformed', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '"\\""',
      '1',
      '-',
      'null',
      'true',
      ' ',
      '"\\u0000"',
      '"\\ud800"',
      '"\\ud83d\\ude00"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = `{"k":${pieces.join('')}`;
        expect(complaintOf(() => jsonParams(bytes(text)))).toBe(
          isAcceptable(text) ? undefined : 'malformed request body',
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('is parsed or refused as malformed, for any bytes', () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.json().map(bytes),
      fc.string({ unit: 'binary' }).map(bytes),
    );
    fc.assert(
      fc.property(body, (bytes) => {
        expect([undefined, 'malformed request body']).toContain(complaintOf(() => jsonParams(bytes)));
      }),
    );
  });

  it('may be 100 deep, and no deeper', () => {
    const nested = (depth: number, open: string, close: string) =>
      bytes(`{"a":${open.repeat(depth - 1)}1${close.repeat(depth - 1)}}`);
    for (const [open, close] of [
      ['[', ']'],
      ['{"b":', '}'],
    ] as const) {
      expect(complaintOf(() => jsonParams(nested(100, open, close)))).toBeUndefined();
      expect(complaintOf(() => jsonParams(nested(101, open, close)))).toBe('malformed request body');
    }
  });
});

function isAcceptable(text: string): boolean {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  const isStorable = (inner: Json): boolean => {
    if (typeof inner === 'string') return inner.isWellFormed() && !inner.includes('\0');
    if (inner === null || typeof inner !== 'object') return true;
    return Object.entries(inner).every(([key, item]) => isStorable(key) && isStorable(item));
  };
  return value !== null && typeof value === 'object' && !Array.isArray(value) && isStorable(value);
}
