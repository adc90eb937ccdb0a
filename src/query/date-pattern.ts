// Patterns of dates (9.5): which letters they know. Reading and writing dates by them is the evaluator's.

import type { InnerText } from './expression.ts';
import { QueryMistake } from './mistake.ts';

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

/** The first run of letters that means nothing, or a quote that is never closed. */
export function datePatternMistake({ text, offset }: InnerText): QueryMistake | undefined {
  for (const { 0: part, index, 2: letter } of text.matchAll(PART)) {
    const isUnknown = letter === undefined ? part === "'" : !LETTERS.has(part);
    if (isUnknown)
      return new QueryMistake(90305, { begin: offset(index), end: offset(index + part.length) }, { value: part });
  }
  return undefined;
}
