import { describe, expect, it } from 'vitest';
import { koreanCodes, koreanDecoder } from './korean.ts';

describe('Korean text', () => {
  const read = koreanDecoder();

  it('is read as other programs write it', () => {
    // By iconv, to cp949.
    const bytes = Buffer.from('8c63b9e6b0a2c7cf20bc84bdc3c4ddb6f320c6520a', 'hex');
    expect(read(bytes)).toBe('똠방각하 펲시콜라 힣\n');
  });

  it.each(['euc-kr', 'cp949'] as const)('has a code in %s for every character that is read from it', (encoding) => {
    const codes = [...koreanCodes(encoding)];
    const bytes = Buffer.from(codes.flatMap(([, code]) => [code >> 8, code & 0xff]));
    expect(read(bytes)).toBe(codes.map(([character]) => character).join(''));
    const syllables = codes.filter(([character]) => character >= '가' && character <= '힣');
    expect(syllables.length).toBe(encoding === 'cp949' ? 11_172 : 2_350);
  });

  it.each([
    ['a letter that ends too early', [0x41, 0xb0], 'A\ufffd'],
    ['a letter of the extension that does', [0x41, 0x8c], 'A\ufffd'],
    ['a trail that is none', [0xb0, 0x20, 0x42], '\ufffd B'],
  ])('has U+FFFD for %s', (_, bytes, text) => {
    expect(read(Uint8Array.from(bytes))).toBe(text);
  });
});
