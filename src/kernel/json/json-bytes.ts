// The elements of a JSON array in bytes, found in slices: an array may have 64 MB.

import type { SlicedWork } from '#kernel/sliced-work.ts';

/** The position of an element without blanks around it. Undefined ends a slice. */
type ElementRange = { readonly from: number; readonly end: number } | undefined;

const SLICE_STEPS = 4096;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
/** Blanks between two slices; skipping them is faster than scanning. */
const SLICE_BLANKS = 1024 * 1024;

/**
 * The elements of the array that begins at `start`. If the bytes are not a well-formed array, at least one element is
 * malformed, possibly empty: parsing all elements checks the whole.
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
      yield yield* trimBlanks(bytes, from, at);
      from = at + 1;
    } else if (depth === 1 && byte === CLOSING_BRACKET) {
      const last = yield* trimBlanks(bytes, from, at);
      if (last.from < last.end || from > start + 1) yield last;
      const rest = yield* trimBlanks(bytes, at + 1, bytes.length);
      if (rest.from < rest.end) yield { from: rest.from, end: rest.from };
      return;
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
    else if (depth > 1 && (byte === CLOSING_BRACE || byte === CLOSING_BRACKET)) depth -= 1;
  }
  yield { from: bytes.length, end: bytes.length };
}

/** Trims the blanks of JSON at both ends, of which there may be megabytes. */
export function* trimBlanks(bytes: Buffer, from: number, end: number): SlicedWork<{ from: number; end: number }> {
  let first = from;
  let last = end;
  for (; first < last && isBlank(bytes[first]); first += 1)
    if ((first - from) % SLICE_BLANKS === SLICE_BLANKS - 1) yield;
  for (; last > first && isBlank(bytes[last - 1]); last -= 1)
    if ((end - last) % SLICE_BLANKS === SLICE_BLANKS - 1) yield;
  return { from: first, end: last };
}

const isBlank = (byte: number | undefined): boolean =>
  byte === BLANK || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;

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
