// The entries of a block that have a gram, as ascending offsets within the block: a list of differences for few of them, a
// bitmap for many.

/** The first byte tells the form. */
export const LIST = 0;
const BITMAP = 1;

/** The smaller form of `list`, which is one of differences; `length` is the number of entries in the block. */
export function smallerForm(list: Uint8Array, length: number): Uint8Array {
  const size = 1 + Math.ceil(length / 8);
  if (list.length <= size) return list;
  const bitmap = new Uint8Array(size);
  bitmap[0] = BITMAP;
  for (const offset of offsetsOfList(list)) {
    bitmap[1 + (offset >>> 3)] = (bitmap[1 + (offset >>> 3)] ?? 0) | (1 << (offset & 7));
  }
  return bitmap;
}

export function decodePostings(bytes: Uint8Array): number[] {
  return bytes[0] === BITMAP ? offsetsOfBitmap(bytes) : offsetsOfList(bytes);
}

function offsetsOfBitmap(bytes: Uint8Array): number[] {
  const offsets: number[] = [];
  for (let at = 1; at < bytes.length; at += 1) {
    for (let bits = bytes[at] ?? 0; bits !== 0; bits &= bits - 1) {
      offsets.push((at - 1) * 8 + 31 - Math.clz32(bits & -bits));
    }
  }
  return offsets;
}

function offsetsOfList(bytes: Uint8Array): number[] {
  const offsets: number[] = [];
  let last = -1;
  for (let at = 1; at < bytes.length; at += 1) {
    let difference = 0;
    let shift = 0;
    for (; (bytes[at] ?? 0) >= 0x80; at += 1, shift += 7) difference |= ((bytes[at] ?? 0) & 0x7f) << shift;
    difference |= (bytes[at] ?? 0) << shift;
    last += difference + 1;
    offsets.push(last);
  }
  return offsets;
}

/** The offsets that all of these postings have, ascending. */
export function intersectPostings(all: readonly Uint8Array[]): number[] {
  const [first, ...others] = [...all].sort((a, b) => a.length - b.length);
  let common = first ? decodePostings(first) : [];
  for (const bytes of others) {
    if (common.length === 0) break;
    common = bytes[0] === BITMAP ? inBitmap(common, bytes) : inBoth(common, offsetsOfList(bytes));
  }
  return common;
}

const inBitmap = (offsets: readonly number[], bitmap: Uint8Array): number[] =>
  offsets.filter((offset) => (bitmap[1 + (offset >>> 3)] ?? 0) & (1 << (offset & 7)));

function inBoth(a: readonly number[], b: readonly number[]): number[] {
  let at = 0;
  return a.filter((offset) => {
    while (at < b.length && (b[at] ?? 0) < offset) at += 1;
    return b[at] === offset;
  });
}
