import { describe, expect, it } from 'vitest';
import { CHARSETS, charsetNamed, decodeBytes, decodeLossy, encodeLossy, encodeText } from './charsets.ts';

const bytes = (hex: string) => Uint8Array.fromHex(hex);

describe('A charset', () => {
  it.each([
    ['UTF-8', 'utf-8'],
    ['Euc-KR', 'euc-kr'],
    ['MS949', 'cp949'],
    ['latin1', undefined],
    ['', undefined],
  ])('is found by its name without regard to case: %s', (name, charset) => {
    expect(charsetNamed(name)).toBe(charset);
  });

  it.each([
    ['utf-8', 'é한😀', 'c3a9ed959cf09f9880'],
    ['utf-16le', 'é한😀', 'e9005cd53dd800de'],
    ['utf-16be', 'é한😀', '00e9d55cd83dde00'],
    ['iso-8859-1', 'aé\u0085', '61e985'],
    ['us-ascii', 'a~\0', '617e00'],
    ['euc-kr', '로그\u0000a', 'b7ceb1d70061'],
    // As iconv writes them.
    ['cp949', '똠방각하 힣', '8c63b9e6b0a2c7cf20c652'],
  ] as const)('writes and reads %s', (charset, text, hex) => {
    expect(encodeText(text, charset)?.toHex()).toBe(hex);
    expect(decodeBytes(bytes(hex), charset)).toBe(text);
    expect(decodeLossy(bytes(hex), charset)).toBe(text);
    expect(encodeLossy(text, charset).toHex()).toBe(hex);
  });

  it.each([
    ['iso-8859-1', 'a한😀', 'a??'],
    ['us-ascii', 'aé😀', 'a??'],
    ['euc-kr', '똠가😀', '?가?'],
    ['cp949', '똠é', '똠?'],
  ] as const)('%s has no bytes for some characters', (charset, text, replaced) => {
    expect(encodeText(text, charset)).toBeNull();
    expect(decodeBytes(encodeLossy(text, charset), charset)).toBe(replaced);
  });

  it.each([
    ['utf-8', 'ff61', '\ufffda'],
    ['utf-16le', '610041', 'a\ufffd'],
    ['utf-16be', 'd83d0061', '\ufffda'],
    ['us-ascii', '6180', 'a\ufffd'],
    ['euc-kr', '8c63', '\ufffdc'],
    ['euc-kr', 'b0', '\ufffd'],
    ['cp949', 'b02042', '\ufffd B'],
    ['cp949', 'ffff61', '\ufffda'],
  ] as const)('%s has no text for some bytes', (charset, hex, replaced) => {
    expect(decodeBytes(bytes(hex), charset)).toBeNull();
    expect(decodeLossy(bytes(hex), charset)).toBe(replaced);
  });

  it.each(CHARSETS)('%s reads long texts whole', (charset) => {
    const text = 'abc-123 '.repeat(3000);
    expect(decodeBytes(encodeText(text, charset) ?? bytes(''), charset)).toBe(text);
  });
});
