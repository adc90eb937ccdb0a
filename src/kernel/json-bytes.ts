// The elements of a JSON array as they stand in bytes, found in slices: an array may have sixty-four megabytes.

/** Where an element stands, blanks around it left out. Undefined ends a slice. */
export type ElementRange = { readonly from: number; readonly end: number } | undefined;

const SLICE_STEPS = 4096;
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const BLANKS = new Set([0x09, 0x0a, 0x0d, 0x20]);

/**
 * Of an array that begins at `start`. Where the bytes are no well-formed array, at least one element is not well-formed
 * either, and may be empty: whoever parses them all has checked the whole.
 */
export function* elementRanges(bytes: Buffer, start: number): Generator<ElementRange> {
  let depth = 1;
  let from = start + 1;
  let steps = 0;
  for (let at = from; at < bytes.length; at += 1) {
    steps += 1;
    if (steps % SLICE_STEPS === 0) yield undefined;
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (depth === 1 && byte === COMMA) {
      yield trimmed(bytes, from, at);
      from = at + 1;
    } else if (depth === 1 && byte === CLOSING_BRACKET) {
      const last = trimmed(bytes, from, at);
      if (last.from < last.end || from > start + 1) yield last;
      const rest = trimmed(bytes, at + 1, bytes.length);
      if (rest.from < rest.end) yield { from: rest.from, end: rest.from };
      return;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
    else if (depth > 1 && (byte === CLOSING_BRACE || byte === CLOSING_BRACKET)) depth -= 1;
  }
  yield { from: bytes.length, end: bytes.length };
}

/** Without the blanks of JSON at both ends. */
export function trimmed(bytes: Buffer, from: number, end: number): { readonly from: number; readonly end: number } {
  let [first, last] = [from, end];
  while (first < last && BLANKS.has(bytes[first] ?? 0)) first += 1;
  while (last > first && BLANKS.has(bytes[last - 1] ?? 0)) last -= 1;
  return { from: first, end: last };
}

function endOfString(bytes: Buffer, start: number): number {
  let end = start;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end === -1) return bytes.length;
  } while (isEscaped(bytes, end));
  return end;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let slashes = 0;
  while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}
