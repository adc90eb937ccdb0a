// Numbers, sizes and lengths of time for reading.

import { describe, expect, it } from 'vitest';
import { byteText, durationText, numberText, shortNumber } from './numbers.ts';

describe('A size', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [1400, '1.4 kB'],
    [123_456_789, '123 MB'],
    [1.5e12, '1.5 TB'],
    [2e15, '2.0 PB'],
    // There is no larger unit.
    [3e18, '3000 PB'],
  ])('of %d bytes is %s', (bytes, text) => expect(byteText(bytes)).toBe(text));
});

describe('A length of time', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1500, '1.5 s'],
    [12_345, '12 s'],
    [59_400, '59 s'],
    [59_700, '1 min'],
    [61_000, '1 min 1 s'],
    [3_599_600, '1 h'],
    [3_600_000, '1 h'],
    [90_000_000, '25 h'],
    [93_780_000, '26 h 3 min'],
    [172_800_000, '2 d'],
    [200_000_000, '2 d 8 h'],
  ])('of %d milliseconds has two units at most: %s', (milliseconds, text) =>
    expect(durationText(milliseconds)).toBe(text),
  );
});

describe('A number', () => {
  it.each([
    [1_234_567, 'en', '1,234,567', '1.2M'],
    [1_234_567, 'ko', '1,234,567', '123.5만'],
    [950, 'en', '950', '950'],
  ])('%d in %s is %s, and %s where space is short', (value, locale, long, short) =>
    expect([numberText(value, locale), shortNumber(value, locale)]).toEqual([long, short]),
  );
});
