// Limits the number of names, operators and literals in a query text. A text of a megabyte is allowed, but not a
// megabyte of names: each takes one to two microseconds of the main thread in each of three or four passes. The count is
// an upper bound and is taken before any other work on the text.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { QueryError } from '#query/model/query-error.ts';

const MAX_PARTS = 65_536;
/** Between two looks at the clock. */
const SLICE_CHARACTERS = 16_384;

/** Costs are in eighths of a part: a word is one part, and so are eight marks, or 128 characters of a string. */
const EIGHTHS = 8;
const IN_STRING = 1 / 16;
/** The cost of a character inside a string that separates parts of JSON or of a pattern, or is a wildcard. */
const MARK_IN_STRING = 2;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `( { [ , : | *` */
const isMarkInString = (code: number): boolean =>
  code === 0x28 || code === 0x7b || code === 0x5b || code === 0x2c || code === 0x3a || code === 0x7c || code === 0x2a;

/** Error 90009 at the first part beyond the limit. */
export function* tooManyParts(text: string): SlicedWork<QueryError | undefined> {
  // No character counts as more than one part.
  if (text.length <= MAX_PARTS) return undefined;
  const most = MAX_PARTS * EIGHTHS;
  let counted = 0;
  for (let at = 0, pause = SLICE_CHARACTERS; at < text.length; ) {
    if (at >= pause) {
      pause = at + SLICE_CHARACTERS;
      yield;
    }
    const begin = at;
    const code = text.charCodeAt(at);
    at += 1;
    if (code === QUOTE) {
      counted += EIGHTHS;
      for (; at < text.length && text.charCodeAt(at) !== QUOTE && counted <= most; at += 1) {
        const inside = text.charCodeAt(at);
        counted += isMarkInString(inside) ? MARK_IN_STRING : IN_STRING;
        if (inside === BACKSLASH) at += 1;
      }
      at += 1;
    } else if (isOfWord(code)) {
      counted += EIGHTHS;
      while (at < text.length && isOfWord(text.charCodeAt(at))) at += 1;
    } else if (code > 0x20) counted += 1;
    if (counted > most)
      return new QueryError(90009, { begin, end: at }, { what: { term: 'parts' }, n: MAX_PARTS + 1, max: MAX_PARTS });
  }
  return undefined;
}

/** Letters, digits, `_`, and everything outside of ASCII. */
const isOfWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  code === 0x5f ||
  (code >= 0x61 && code <= 0x7a) ||
  code >= 0x80;
