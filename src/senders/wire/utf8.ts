// Checks letters of UTF-8 (RFC 3629) in bytes that have no decoder around them.

/** How many bytes the letter has whose first byte, of 0x80 or above, stands at `at`; 0 where it is none. */
export function letterBytes(bytes: Uint8Array, at: number, end: number): 0 | 2 | 3 | 4 {
  const first = bytes[at] ?? 0;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) return 0;
  const second = bytes[at + 1] ?? 0;
  if (second < leastSecond(first) || second > mostSecond(first)) return 0;
  for (let index = 2; index < length; index += 1) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Overlong forms begin lower. */
const leastSecond = (first: number): number => (first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80);

/** Halves of surrogate pairs, and what Unicode does not have, begin higher. */
const mostSecond = (first: number): number => (first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf);
