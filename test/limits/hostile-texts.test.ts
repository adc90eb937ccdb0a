// Texts of megabytes that are made to take long: each is read once. Judged in processor time of this thread, with room for a slow
// machine: a reader whose time grows with the square of the length takes minutes.

import { describe, expect, it } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { hasEscapedName } from '#kernel/json/parse-json.ts';
import { parseJsonBody } from '#operations/requests/raw-params.ts';
import { readSql } from '#query/language/sql-text.ts';
import { nativeRegex } from '#query/values/regexes/native-regex.ts';
import { processorMs } from '#test/support/processor-time.ts';
import { check, queryErrorIn } from '#test/support/query.ts';
import { contextOf } from '#test/support/query-examples.ts';

describe('A JSON body', () => {
  /** The number of its parameters, or how it is refused. */
  function read(text: string): number | string {
    const steps = parseJsonBody(Buffer.from(text), { values: 1_000_000, isKnown: () => true });
    try {
      for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value.size;
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      throw error;
    }
  }

  it.each([
    [`{"a":"${'\\'.repeat(4_000_000)}"}`, 1],
    [`{"a":"${'\\"'.repeat(2_000_000)}"}`, 1],
    [`{"a":"${'[{,:'.repeat(1_000_000)}"}`, 1],
    ['{"a":'.repeat(1_000_000), 'malformed request body'],
    ['"'.repeat(2_000_001), 'malformed request body'],
  ])('is read in a moment: %.12s', (text, outcome) => {
    expect(processorMs(() => expect(read(text)).toBe(outcome))).toBeLessThan(1000);
  });

  it('is searched for escaped names in a moment', () => {
    const count = 1_000_000;
    const text = `{"a":"${'\\"'.repeat(count)}","b":"${'\\\\'.repeat(count)}"}`;
    expect(processorMs(() => expect(hasEscapedName(text)).toBe(false))).toBeLessThan(1000);
  });
});

describe('SQL', () => {
  const PARTS = ['/*', "'", '$a$', '--', ':a', '(', '/* /* ', "E'", '"', '`', ';', '$', '-', '/'];

  it.each(['postgresql', 'mysql'] as const)('of %s costs no more than its length', (dialect) => {
    for (const part of PARTS) {
      const text = `select ${part.repeat(1_000_000 / part.length)}`;
      expect(
        processorMs(() => readSql(text, dialect)),
        part,
      ).toBeLessThan(3000);
    }
    const nested = `select ${'/*'.repeat(300_000)}${'*/'.repeat(300_000)}`;
    expect(processorMs(() => readSql(nested, dialect))).toBeLessThan(3000);
  });
});

describe('A pattern that the local evaluator evaluates itself', () => {
  it.each([
    ['=\\d+ ', '=1111111111'.repeat(100_000)],
    ['user="[^"]*" id=(\\d+)', 'user="'.repeat(200_000)],
    ['(?i)bot|crawl(er)?/[0-9]+', 'crawler'.repeat(150_000)],
    ['(a?b?c?|d)e', 'abc'.repeat(300_000)],
  ])('reads a hostile text once: %s', (source, text) => {
    const native = nativeRegex(source);
    expect(processorMs(() => expect(native?.regex.test(text)).toBe(false))).toBeLessThan(500);
  });
});

describe('A query', () => {
  it('that is long is refused with its hints in a moment', () => {
    const text = `table given | where ${'"'.repeat(30_000)} ${'a'.repeat(500_000)}`;
    const context = contextOf({ tables: { given: [{ status: 1 }] } });
    expect(processorMs(() => expect(queryErrorIn(text, context)).toBeDefined())).toBeLessThan(2000);
  });

  it('with thousands of unknown fields has its warnings in a moment', () => {
    const names = Array.from({ length: 4000 }, (_, at) => `k${at}y`);
    const text = `table k | search in(a, ${names.join(', ')})`;
    expect(processorMs(() => expect(check(text).warnings).toHaveLength(100))).toBeLessThan(5000);
  });
});
