// Search parameters of an address: a value that is none of the expected ones is absent, and never fails a page.

import { describe, expect, it } from 'vitest';
import { choiceIn, choicesIn, numberIn, present, textIn, textsIn } from './search-values.ts';

const CHOICES = ['on', 'off'] as const;

describe('A value of an address', () => {
  it.each([
    ['x', 'x'],
    ['', ''],
    ['한글 | "x"', '한글 | "x"'],
    [5, '5'],
    [true, 'true'],
    [null, undefined],
    [['x'], undefined],
    [{ a: 1 }, undefined],
    [undefined, undefined],
  ])('%j is the text %j', (value, text) => expect(textIn({ value }, 'value')).toBe(text));

  it.each([
    [5, 5],
    [-1, -1],
    [1.5, undefined],
    [2 ** 53, undefined],
    ['5', undefined],
    [null, undefined],
  ])('%j is the number %s', (value, number) => expect(numberIn({ value }, 'value')).toBe(number));

  it.each([
    ['on', 'on'],
    ['ON', undefined],
    [['on'], undefined],
    [undefined, undefined],
  ])('%j is the choice %s', (value, choice) => expect(choiceIn({ value }, 'value', CHOICES)).toBe(choice));

  it.each([
    [
      ['off', 'on', 'off', 5],
      ['on', 'off'],
    ],
    [['x'], []],
    ['on', []],
    [undefined, []],
  ])('%j has the choices %j, in the order of the page', (value, choices) =>
    expect(choicesIn({ value }, 'value', CHOICES)).toEqual(choices),
  );

  it.each([
    [
      ['a', 5, null, '한'],
      ['a', '한'],
    ],
    ['a', []],
  ])('%j has the texts %j', (value, texts) => expect(textsIn({ value }, 'value')).toEqual(texts));
});

it('An address holds nothing that is absent or empty', () => {
  expect(present({ a: '', b: undefined, c: [], d: 0, e: false, f: ['x'], g: ' ' })).toEqual({
    d: 0,
    e: false,
    f: ['x'],
    g: ' ',
  });
});
