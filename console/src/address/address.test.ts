// The values of an address: one that is none of those expected is absent, and never fails a page.

import { describe, expect, it } from 'vitest';
import { addressOf, changed, choice, choices, flag, number, text, texts } from './address.ts';

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
  ])('%j is the text %j', (value, read) => expect(text(value)).toBe(read));

  it.each([
    [5, 5],
    [-1, -1],
    [1.5, undefined],
    [2 ** 53, undefined],
    ['5', undefined],
    [null, undefined],
  ])('%j is the number %s', (value, read) => expect(number(value)).toBe(read));

  it.each([
    [true, true],
    [false, undefined],
    ['true', undefined],
    [1, undefined],
    [undefined, undefined],
  ])('%j is the flag %s', (value, read) => expect(flag(value)).toBe(read));

  it.each([
    ['on', 'on'],
    ['ON', undefined],
    [['on'], undefined],
    [undefined, undefined],
  ])('%j is the choice %s', (value, read) => expect(choice(CHOICES)(value)).toBe(read));

  it.each([
    [7, 7],
    [8, undefined],
    ['7', undefined],
  ])('%j is the choice %s of numbers', (value, read) => expect(choice([1, 7])(value)).toBe(read));

  it.each([
    [
      ['off', 'on', 'off', 5],
      ['on', 'off'],
    ],
    [['x'], []],
    ['on', undefined],
    [undefined, undefined],
  ])('%j has the choices %j, in the order of the page', (value, read) => expect(choices(CHOICES)(value)).toEqual(read));

  it.each([
    [
      ['a', 5, null, '한'],
      ['a', '한'],
    ],
    ['a', undefined],
  ])('%j has the texts %j', (value, read) => expect(texts(value)).toEqual(read));
});

const read = addressOf({ keywords: text, states: choices(CHOICES), page: number, edit: flag });

describe('An address', () => {
  it('holds what is declared and nothing else', () => {
    const values = { keywords: 'a', states: ['off'], page: 2, edit: true } as const;
    expect(read({ ...values, other: 'x' })).toEqual(values);
  });

  it('holds nothing that is absent, empty or not expected', () => {
    expect(read({ keywords: '', states: ['x'], page: 'two', edit: false })).toEqual({});
    expect(read({})).toEqual({});
  });

  it('keeps what a change does not name', () => {
    const before = read({ keywords: 'a', page: 2 });
    expect(changed(before, { page: 3, edit: true })).toEqual({ keywords: 'a', page: 3, edit: true });
    expect(changed(before, {})).toEqual(before);
  });

  it('loses what a change makes undefined or empty', () => {
    const before = read({ keywords: 'a', states: ['on'], page: 2 });
    expect(changed(before, { keywords: '', states: [], page: undefined })).toEqual({});
  });
});
