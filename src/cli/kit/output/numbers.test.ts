import { describe, expect, it } from 'vitest';
import { clockText, countText, sizeText } from './numbers.ts';

describe('A size', () => {
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [1536, '1.5 KiB'],
    [102_400, '100 KiB'],
    [1_048_575, '1.0 MiB'],
    [1_048_576, '1.0 MiB'],
    [25 * 2 ** 30, '25.0 GiB'],
    [3 * 2 ** 40, '3.0 TiB'],
    [5000 * 2 ** 50, '5000 PiB'],
  ])('of %d bytes is read as %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});

describe('A number of seconds', () => {
  it.each([
    [0, '0:00'],
    [6.2, '0:07'],
    [750, '12:30'],
    [11_100, '3:05:00'],
  ])('such as %d is read as %s', (seconds, text) => expect(clockText(seconds)).toBe(text));
});

describe('A count', () => {
  it('has its thousands apart', () => expect([countText(999), countText(12_345_678)]).toEqual(['999', '12,345,678']));
});
