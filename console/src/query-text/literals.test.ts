// Names and values as they are written into a query: the service reads back the same name and the same value.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '#kernel/sliced-work.ts';
import type { MapValue } from '#query/model/values.ts';
import { compileRule } from '#query/rules/condition.ts';
import { RULE_CONTEXT } from '#test/differential/records.ts';
import { conditionText, exclusionText, nameText, stringText } from './literals.ts';

describe('The name of a field', () => {
  it.each([
    ['src_ip', 'src_ip'],
    ['상태', '상태'],
    ['@x:y', '@x:y'],
    ['a.b', 'a.b'],
    ['_time', '_time'],
    // Names that the language would read as something else.
    ['', 'field("")'],
    ['06', 'field("06")'],
    ['a b', 'field("a b")'],
    ['a"b', 'field("a\\"b")'],
    ['a|b', 'field("a|b")'],
    ['n.', 'field("n.")'],
    ['n:', 'field("n:")'],
    ['and', 'field("and")'],
    ['null', 'field("null")'],
    ['not', 'field("not")'],
    ['😀', 'field("😀")'],
    ['a\\', 'field("a\\\\")'],
  ])('%j is written as %s', (name, text) => {
    expect(nameText(name)).toBe(text);
  });
});

describe('A text', () => {
  it.each([
    ['', '""'],
    ['정상', '"정상"'],
    ['a "b" \\ c', '"a \\"b\\" \\\\ c"'],
    ['a\nb\tc\rd', '"a\\nb\\tc\\rd"'],
    ['a*|b', '"a*|b"'],
  ])('%j is written as %s', (text, written) => {
    expect(stringText(text)).toBe(written);
  });
});

describe('A condition', () => {
  it.each([
    ['src_ip', '10.0.0.1', 'src_ip == "10.0.0.1"', 'not(src_ip == "10.0.0.1")'],
    ['상태', '정상 "a" \\ *', '상태 == "정상 \\"a\\" \\\\ \\*"', 'not(상태 == "정상 \\"a\\" \\\\ \\*")'],
    ['a b', 1, 'field("a b") == 1', 'not(field("a b") == 1)'],
    ['and', true, 'field("and") == true', 'not(field("and") == true)'],
    ['n', -1.5, 'n == -1.5', 'not(n == -1.5)'],
    ['id', 9007199254740993n, 'id == 9007199254740993', 'not(id == 9007199254740993)'],
    ['empty', '', 'empty == ""', 'not(empty == "")'],
    ['u', null, 'isnull(u)', 'isnotnull(u)'],
    ['u', undefined, 'isnull(u)', 'isnotnull(u)'],
    // Lists and maps cannot be named by a text.
    ['tags', ['a'], undefined, undefined],
    ['map', { a: 1 }, undefined, undefined],
  ])('on %s = %s is %s, and its opposite %s', (field, value, condition, exclusion) => {
    expect([conditionText(field, value), exclusionText(field, value)]).toEqual([condition, exclusion]);
  });

  const kept = (condition: string | undefined, records: readonly MapValue[]) => {
    const { judge } = runToEnd(compileRule(`search ${condition}`, RULE_CONTEXT));
    return records.map((record) => judge(record) !== undefined);
  };

  it('holds for the value that it was made from and for no other, whatever the name and the value', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
      fc.constantFrom('a', 'and', 'not', '06', '한글', 'a.b', '1h', 'a:'),
    );
    const values = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.constantFrom('*', 'a*b', '\\', '"', '\\*', '|', '# x', ']', '$("p")', '', ' a '),
      fc.boolean(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(names, values, (plain, value) => {
        // Stored names and texts are composed.
        const name = plain.normalize();
        const stored = typeof value === 'string' ? value.normalize() : value;
        fc.pre(stored !== 'another one');
        const records: MapValue[] = [new Map([[name, stored]]), new Map([[name, 'another one']]), new Map()];
        expect(kept(conditionText(name, stored), records)).toEqual([true, false, false]);
        expect(kept(exclusionText(name, stored), records)).toEqual([false, true, true]);
      }),
      { numRuns: 200 },
    );
  });
});
