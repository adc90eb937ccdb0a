// Whether a draft differs from what is saved.

import { describe, expect, it } from 'vitest';
import { isSameValue } from './same-value.ts';

describe('Values of a form', () => {
  it.each([
    ['', ''],
    [undefined, undefined],
    [Number.NaN, Number.NaN],
    [{ a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] }],
    [{ a: 1 }, { a: 1, b: undefined }],
  ])('%j and %j are the same', (one, other) => expect(isSameValue(one, other)).toBe(true));

  it.each([
    ['', undefined],
    [0, undefined],
    [null, undefined],
    [[], {}],
    [['a'], ['a', 'b']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [{ a: [{ b: 'x' }] }, { a: [{ b: 'y' }] }],
    [new File(['a'], 'a.csv'), new File(['b'], 'b.csv')],
    [undefined, new File(['a'], 'a.csv')],
  ])('%j and %j differ', (one, other) => expect(isSameValue(one, other)).toBe(false));
});
