// Date patterns (9.5): the letters that exist and how a pattern is checked. `values/dates/date-format.ts` writes dates by them,
// `values/dates/date-reading.ts` reads.

import type { InnerText } from './expression.ts';
import { QueryError } from './query-error.ts';

const LETTERS = new Set([
  ...['yyyy', 'yy', 'M', 'MM', 'MMM', 'MMMM', 'd', 'dd', 'H', 'HH', 'h', 'hh', 'm', 'mm', 's', 'ss'],
  ...Array.from({ length: 9 }, (_, at) => 'S'.repeat(at + 1)),
  ...['a', 'E', 'EE', 'EEE', 'EEEE', 'u', 'D', 'DDD', 'Z', 'X', 'XX', 'XXX'],
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

/** Patterns are compiled and cached, so their size is limited. */
const MAX_LENGTH = 1000;

/** The error for the first run of unknown letters, or for a quote that is never closed. */
export function datePatternError({ text, offset }: InnerText): QueryError | undefined {
  const placed = (index: number, length: number) => ({ begin: offset(index), end: offset(index + length) });
  if (text.length > MAX_LENGTH) {
    return new QueryError(90009, placed(0, text.length), { what: { term: 'length' }, n: text.length, max: MAX_LENGTH });
  }
  for (const { 0: part, index, 2: letter } of text.matchAll(PART)) {
    const isUnknown = letter === undefined ? part === "'" : !LETTERS.has(part);
    if (isUnknown) return new QueryError(90305, placed(index, part.length), { value: part });
  }
  return undefined;
}

/** The version that reads some letters in another way than those before; its warning (90921) goes two versions later. */
export const CHANGED_SINCE = '0.9.0';

interface ChangedReading {
  readonly letters: string;
  readonly reading: 'reading-years' | 'reading-hours';
}

/** Letters of a pattern that reads dates whose meaning has changed, each once. */
export function changedReadings(pattern: string): ChangedReading[] {
  const letters = new Set(datePatternParts(pattern).flatMap((part) => ('letters' in part ? [part.letters] : [])));
  return [...letters].flatMap((one): ChangedReading[] => {
    if (one === 'yy') return [{ letters: one, reading: 'reading-years' }];
    return one.startsWith('h') && !letters.has('a') ? [{ letters: one, reading: 'reading-hours' }] : [];
  });
}
