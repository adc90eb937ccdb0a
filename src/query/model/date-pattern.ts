// Date patterns (9.5): the letters that exist and how a pattern is checked. `values/date-format.ts` reads and writes
// dates by them.

import type { InnerText } from './expression.ts';
import { QueryError } from './query-error.ts';

const LETTERS = new Set([
  ...['yyyy', 'yy', 'M', 'MM', 'MMM', 'MMMM', 'd', 'dd', 'H', 'HH', 'h', 'hh', 'm', 'mm', 's', 'ss', 'S', 'SS', 'SSS'],
  ...['a', 'E', 'EEEE', 'u', 'D', 'DDD', 'Z', 'X', 'XX', 'XXX'],
]);

export type DatePatternPart = { readonly letters: string } | { readonly text: string };

/** `''` is a quote, inside quoted text too. */
const PART = /''|'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g;

export function datePatternParts(pattern: string): DatePatternPart[] {
  return [...pattern.matchAll(PART)].map(([part, inQuotes, letter]) => {
    if (letter !== undefined) return { letters: part };
    return { text: part === "''" ? "'" : (inQuotes ?? part).replaceAll("''", "'") };
  });
}

/** Patterns are cached and compiled to regular expressions of the host, whose size is limited. */
const MAX_LENGTH = 1000;
/**
 * Each of the eight varying letters once, and one more. Every further letter doubles the number of ways to split a text
 * of digits.
 */
const MAX_VARYING = 9;
/** Letters that match one digit or two when a date is read, or an offset with or without minutes. */
const VARYING = new Set(['M', 'd', 'H', 'h', 'm', 's', 'D', 'X']);

/** The error for the first run of unknown letters, or for a quote that is never closed. */
export function datePatternError({ text, offset }: InnerText, isRead: boolean): QueryError | undefined {
  const placed = (index: number, length: number) => ({ begin: offset(index), end: offset(index + length) });
  if (text.length > MAX_LENGTH) {
    return new QueryError(90009, placed(0, text.length), { what: { term: 'length' }, n: text.length, max: MAX_LENGTH });
  }
  let varying = 0;
  for (const { 0: part, index, 2: letter } of text.matchAll(PART)) {
    if (isRead && VARYING.has(part)) varying += 1;
    const isUnknown = letter === undefined ? part === "'" : !LETTERS.has(part);
    if (isUnknown || varying > MAX_VARYING) {
      return new QueryError(90305, placed(index, part.length), { value: part });
    }
  }
  return undefined;
}
