// Where the bytes of a text can be cut: at line ends, and between characters.

import type { Charset } from './charsets.ts';

const isWide = (charset: Charset): boolean => charset.startsWith('utf-16');

/** The place behind the last line end of some bytes, which begin with a whole character; 0 without one. */
export function lastLineEnd(bytes: Uint8Array, charset: Charset): number {
  if (!isWide(charset)) return bytes.lastIndexOf(LF) + 1;
  for (let at = (bytes.length & ~1) - 2; at >= 0; at -= 2) if (unitAt(bytes, at, charset) === LF) return at + 2;
  return 0;
}

/** The place behind the first line end of some bytes; 0 without one. */
export function firstLineEnd(bytes: Uint8Array, charset: Charset): number {
  if (!isWide(charset)) return bytes.indexOf(LF) + 1;
  for (let at = 0; at + 1 < bytes.length; at += 2) if (unitAt(bytes, at, charset) === LF) return at + 2;
  return 0;
}

/** A place at which bytes can be cut without cutting a character. The second byte of a Korean letter is above 0x40. */
export function lastCharacterEnd(bytes: Uint8Array, charset: Charset): number {
  if (charset === 'iso-8859-1' || charset === 'us-ascii') return bytes.length;
  if (isWide(charset)) {
    const end = bytes.length & ~1;
    const last = end >= 2 ? unitAt(bytes, end - 2, charset) : 0;
    return last >= 0xd800 && last < 0xdc00 ? end - 2 : end;
  }
  for (let at = bytes.length - 1; at >= 0; at -= 1) if ((bytes[at] ?? 0) <= 0x40) return at + 1;
  return 0;
}

/** The code of the first character that is no white space; undefined where there is none. */
export function firstCode(bytes: Uint8Array, charset: Charset): number | undefined {
  const step = isWide(charset) ? 2 : 1;
  for (let at = markLength(bytes, charset); at + step <= bytes.length; at += step) {
    const code = step === 2 ? unitAt(bytes, at, charset) : (bytes[at] ?? 0);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
  }
  return undefined;
}

/** Bytes of the byte order mark at the beginning of a file. */
export function markLength(bytes: Uint8Array, charset: Charset): number {
  if (charset === 'utf-8') return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return isWide(charset) && bytes.length >= 2 && unitAt(bytes, 0, charset) === 0xfeff ? 2 : 0;
}

const LF = 0x0a;

const unitAt = (bytes: Uint8Array, at: number, charset: Charset): number => {
  const [low, high] = charset === 'utf-16le' ? [bytes[at], bytes[at + 1]] : [bytes[at + 1], bytes[at]];
  return (high ?? 0) * 256 + (low ?? 0);
};
