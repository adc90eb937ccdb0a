// The results of format().

import { describe, expect, it } from 'vitest';
import type { Value } from '#query/model/values.ts';
import { piecesOf, writtenValues } from './formatted-values.ts';

describe('Values in the placeholders of a text', () => {
  it.each<readonly [string, Value, string]>([
    ['%s', 'a', 'a'],
    ['%5s|', '한글', '   한글|'],
    ['%-5s|', '😀', '😀    |'],
    ['%.2s', '😀b한', '😀b'],
    ['%s', new Map([['k', 1n]]), '{"k":1}'],
    ['%s', null, ''],
    ['%3d|', null, '   |'],
    ['%05d', 42n, '00042'],
    ['%05d', -42n, '-0042'],
    ['%-5d|', 42n, '42   |'],
    ['%+d', 0n, '+0'],
    ['%d', 2.9, '2'],
    ['%d', ' -7 ', '-7'],
    ['%d', 1e300, ''],
    ['%d', true, ''],
    ['%,d', -1234567n, '-1,234,567'],
    ['%,d', 123n, '123'],
    ['%f', 1n, '1.000000'],
    ['%.0f', 2.5, '3'],
    ['%.2f', -0.005, '-0.01'],
    ['%,.1f', 1234.56, '1,234.6'],
    ['%.1f', 9_223_372_036_854_775_807n, '9223372036854775807.0'],
    ['%.1f', 1e21, '1000000000000000000000.0'],
    ['%08.2f', -3.256, '-0003.26'],
    ['%f', 'x', ''],
    ['%x', 255n, 'ff'],
    ['%X', -1n, 'FFFFFFFFFFFFFFFF'],
    ['%04x', 10n, '000a'],
    ['100%% %s', 'x', '100% x'],
  ])('%s of %s', (format, value, text) => {
    expect(writtenValues(piecesOf(format) ?? [], [value], 'UTC')).toBe(text);
  });

  it.each(['%', '%q', 'a%', '%5', '%1001s', '%.21f', '%.f', '%5.s', '% d', '%12345d'])(
    'are not taken: %s',
    (format) => {
      expect(piecesOf(format)).toBeUndefined();
    },
  );
});
