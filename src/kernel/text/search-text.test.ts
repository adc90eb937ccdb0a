import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchKeyword, searchText } from './search-text.ts';

const isFound = (keyword: string, ...fields: readonly (string | null | undefined)[]) =>
  searchText(fields).includes(searchKeyword(keyword));

describe('A keyword', () => {
  it.each([
    ['ABC', 'abc'],
    ['ÀÉÎ', 'àéî'],
    ['ЖУК', 'жук'],
    ['ΔΟΚΙΜΗ', 'δοκιμη'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Σ', 'ΟΔΟΣ'],
    ['e\u0301', 'É'],
    ['\u1112\u1161\u11ab', '한국'],
    ['b', 'abc'],
    ['100%', '100% of it'],
  ])('%s is found in %s', (keyword, text) => expect(isFound(keyword, text)).toBe(true));

  it.each([
    ['한', '안'],
    ['a', 'á'],
    ['a', 'b'],
    ['null', ''],
    ['abcd', 'abc'],
  ])('%s is not found in %s', (keyword, text) => expect(isFound(keyword, text)).toBe(false));

  it('is found in any field, and never across two', () => {
    expect(isFound('이름', 'Login', null, undefined, '', '이름')).toBe(true);
    expect(isFound('null', 'Login', null, undefined)).toBe(false);
    expect(isFound('undefined', 'Login', null, undefined)).toBe(false);
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((some) => some.isWellFormed());
    fc.assert(
      fc.property(text, text, fc.string({ unit: 'binary' }), (one, other, between) => {
        fc.pre(!isFound(one + between + other, one) && !isFound(one + between + other, other));
        expect(isFound(one + between + other, one, other)).toBe(false);
      }),
    );
  });
});
