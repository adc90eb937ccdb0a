// Checks letters of UTF-8 (RFC 3629), and reads bytes that may not be UTF-8 so that the malformed ones can be found again.

import { isUtf8 } from 'node:buffer';

/** How many bytes the letter has whose first byte, of 0x80 or above, stands at `at`; 0 where it is none. */
export function letterBytes(bytes: Uint8Array, at: number, end: number): 0 | 2 | 3 | 4 {
  const length = lengthBy(bytes[at] ?? 0);
  return length !== 0 && validBytes(bytes, at, Math.min(at + length, end)) === length ? length : 0;
}

/** How many bytes of a malformed sequence at `at` become one U+FFFD, as decoders of text do it. */
export function malformedBytes(bytes: Uint8Array, at: number, end: number): number {
  const length = lengthBy(bytes[at] ?? 0);
  return length === 0 ? 1 : validBytes(bytes, at, Math.min(at + length, end));
}

/** The bytes as text, with a NUL for each sequence that is not UTF-8. */
export const decodeUtf8 = (bytes: Buffer): string => markMalformed(bytes).toString('utf8');

/** The bytes as UTF-8, with a NUL for each sequence that is not; a copy unless they are valid. */
export function markMalformed(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const marked = Buffer.allocUnsafeSlow(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const letter = byte < 0x80 ? 1 : letterBytes(bytes, at, bytes.length);
    if (letter === 0) {
      marked[length] = 0;
      length += 1;
      at += malformedBytes(bytes, at, bytes.length);
    }
    for (let index = 0; index < letter; index += 1, at += 1, length += 1) marked[length] = bytes[at] ?? 0;
  }
  return marked.subarray(0, length);
}

/** The length that the first byte of a letter says; 0 for a byte that begins none. */
function lengthBy(first: number): 0 | 2 | 3 | 4 {
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** How many bytes from `at` to before `end` may be those of the letter that begins there. */
function validBytes(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  if (at + 1 >= end || second < leastSecond(first) || second > mostSecond(first)) return 1;
  let next = at + 2;
  while (next < end && ((bytes[next] ?? 0) & 0xc0) === 0x80) next += 1;
  return next - at;
}

/** Overlong forms begin lower. */
const leastSecond = (first: number): number => (first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80);

/** Halves of surrogate pairs, and what Unicode does not have, begin higher. */
const mostSecond = (first: number): number => (first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf);
