// A text that DuckDB is trusted with gives the fields that the local evaluator reads from it.

import * as duckdb from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { taggedValue } from '#query/rows/tagged-json.ts';
import { type ParseMethod, parsedValue } from '#query/values/formats/parsed-text.ts';
import { mapOf } from '#query/values/formats/tags.ts';
import { exactFields } from './parsed-text-sql.ts';

const RUNS = Number(process.env.VIGIL_FUZZ_RUNS ?? 300);

const JSON_METHOD: ParseMethod = { format: 'json', flatten: false, lenient: false };
const KV_METHOD: ParseMethod = { format: 'kv', pairDelimiter: ' ', keyDelimiter: '=', quote: true };

const literal = (text: string) => ({ text: `'${text.replaceAll("'", "''")}'`, type: 'string' as const });
// The functions under test only bind texts.
const compiler = { bind: (value: string) => literal(value) } as unknown as PlanCompiler;

let connection: duckdb.DuckDBConnection;

beforeAll(async () => {
  connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect();
});

/** The JSON of the fields; undefined where the text is for the local evaluator. */
async function byDuckdb(text: string, method: ParseMethod): Promise<string | undefined> {
  const exact = exactFields('s', method, compiler);
  if (!exact) return undefined;
  const sql = `select case when ${exact.isExact} then ${exact.made} end as made from (select $1::varchar as s)`;
  const [row] = (await connection.runAndReadAll(sql, [text])).getRowObjectsJson();
  return typeof row?.made === 'string' ? row.made : undefined;
}

async function expectSame(text: string, method: ParseMethod): Promise<boolean> {
  const found = await byDuckdb(text, method);
  if (found === undefined) return false;
  const wanted = parsedValue(text, method, { field: 'line', zone: 'UTC' });
  expect([text, wanted && [...wanted]]).toEqual([text, [...mapOf(taggedValue(found))]]);
  return true;
}

describe('Flat JSON objects', () => {
  it.each([
    '{}',
    '{"level":"warn","at":5}',
    ' { "a b" : -1.50 , "한글":"é😀", "l":[1,"x",null, 2.0], "n":null,"t":true } ',
    '{"a":123456789012345,"b":0.000000123456789,"c":100.0,"e":""}',
  ])('are read by DuckDB: %s', async (text) => {
    expect(await expectSame(text, JSON_METHOD)).toBe(true);
  });

  it.each([
    ['equal keys', '{"a":1,"a":2}'],
    ['a comma at the end', '{"a":1,}'],
    ['NaN', '{"a":NaN}'],
    ['an inner map, where keys may be equal', '{"a":{"b":1}}'],
    ['a list in a list', '{"a":[[1]]}'],
    ['a number of many digits', '{"a":9007199254740993}'],
    ['an exponent', '{"a":1e400}'],
    ['minus zero', '{"a":-0}'],
    ['an escape', '{"a":"\\u0041"}'],
    ['a name with white space around', '{" a":1}'],
    ['an empty name', '{"":1}'],
    ['no object', '[1]'],
    ['no JSON', '{"a":01}'],
  ])('are left to the local evaluator with %s', async (_, text) => {
    expect(await byDuckdb(text, JSON_METHOD)).toBeUndefined();
  });

  it('give the same fields as the local evaluator', async () => {
    const token = fc.constantFrom(
      ...'{}[],: "a1\\\n',
      '"a"',
      '"b"',
      '"a b"',
      '-1',
      '0.5',
      '1.0',
      'null',
      'true',
      '"한"',
      '":',
    );
    const member = fc
      .tuple(fc.constantFrom('"a"', '"b"', '"c d"', '""', '"é"'), fc.jsonValue())
      .map(([name, value]) => `${name}:${JSON.stringify(value)}`);
    const objects = fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(', ')}}`);
    const texts = fc.oneof(
      objects,
      fc.array(token).map((tokens) => tokens.join('')),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => void (await expectSame(text, JSON_METHOD))),
      { numRuns: RUNS },
    );
  });
});

describe('Plain pairs', () => {
  it.each(['a=1 b=x', '  a=1   level=warn at=2=3 c= ', '한=글'])('are read by DuckDB: %s', async (text) => {
    expect(await expectSame(text, KV_METHOD)).toBe(true);
  });

  it.each(['a=1 a=2', 'a="x y"', 'a=1 word', 'a=1\tb', '=x', ''])(
    'are left to the local evaluator otherwise: %s',
    async (text) => {
      expect(await byDuckdb(text, KV_METHOD)).toBeUndefined();
    },
  );

  it('give the same fields as the local evaluator', async () => {
    const texts = fc.array(fc.constantFrom(...'ab= ;"|\t', 'k', '한')).map((tokens) => tokens.join(''));
    const marks = fc.constantFrom(' ', ';', '|', '=', ':', ',');
    await fc.assert(
      fc.asyncProperty(texts, marks, marks, async (text, pairDelimiter, keyDelimiter) => {
        await expectSame(text, { format: 'kv', pairDelimiter, keyDelimiter, quote: true });
      }),
      { numRuns: RUNS },
    );
  });
});
