import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, letterBytes } from './utf8.ts';

const PIECES = ['a', 'é', '한', '😀', '\0', '\ufffd'].map((text) => Buffer.from(text));
const MALFORMED = ['ff', 'c0', 'e2', 'e282', 'f09f', 'f09f98', 'eda080', '80', 'f5'].map((hex) =>
  Buffer.from(hex, 'hex'),
);
const bytes = fc
  .array(fc.oneof(fc.constantFrom(...PIECES, ...MALFORMED), fc.uint8Array({ maxLength: 4 })), { maxLength: 20 })
  .map((pieces) => Buffer.concat(pieces));

describe('Bytes that may not be UTF-8', () => {
  it('are read as the platform reads them, with a NUL for each U+FFFD that stands for malformed ones', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        const text = decodeUtf8(given);
        expect(text.replaceAll('\0', '\ufffd')).toBe(given.toString('utf8').replaceAll('\0', '\ufffd'));
        if (isUtf8(given)) expect(text).toBe(given.toString('utf8'));
        else expect(text).toContain('\0');
      }),
    );
  });

  it('have letters exactly where all of their bytes are those of one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 4 }), (given) => {
        const [first = 0] = given;
        if (first < 0x80) return;
        const whole = letterBytes(given, 0, given.length) === given.length;
        expect(whole).toBe(isUtf8(given) && [...Buffer.from(given).toString('utf8')].length === 1);
      }),
    );
  });
});
