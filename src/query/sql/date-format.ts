// Date patterns (9.5) as formats of DuckDB's strftime, where it knows the letters.

import { datePatternParts } from '#query/model/date-pattern.ts';

const LETTERS: Readonly<Record<string, string>> = {
  yyyy: '%Y',
  M: '%-m',
  MM: '%m',
  MMM: '%b',
  MMMM: '%B',
  d: '%-d',
  dd: '%d',
  H: '%-H',
  HH: '%H',
  h: '%-I',
  hh: '%I',
  m: '%-M',
  mm: '%M',
  s: '%-S',
  ss: '%S',
  SSS: '%g',
  a: '%p',
  E: '%a',
  EEEE: '%A',
  u: '%u',
  D: '%-j',
  DDD: '%j',
};

const OFFSETS: Readonly<Record<string, string>> = { Z: '', XX: '', XXX: ':' };

/** A format, or an offset with what stands between its hours and minutes. */
export type FormatPiece = { readonly format: string } | { readonly separator: string };

/** Undefined where some letter has no counterpart; none for an empty pattern. */
export function strftimePieces(pattern: string): FormatPiece[] | undefined {
  const pieces: FormatPiece[] = [];
  for (const part of datePatternParts(pattern)) {
    const separator = 'letters' in part ? OFFSETS[part.letters] : undefined;
    const format = 'text' in part ? part.text.replaceAll('%', '%%') : LETTERS[part.letters];
    const last = pieces.at(-1);
    if (separator !== undefined) pieces.push({ separator });
    else if (format === undefined) return undefined;
    else if (last && 'format' in last) pieces[pieces.length - 1] = { format: last.format + format };
    else pieces.push({ format });
  }
  return pieces;
}

/** What a number of a pattern looks like, and how strptime calls it. Single letters take one or two digits. */
const READ: Readonly<Record<string, readonly [regex: string, format: string]>> = {
  yyyy: ['[0-9]{4}', '%Y'],
  MM: ['[0-9]{2}', '%m'],
  M: ['[0-9]{1,2}', '%m'],
  dd: ['[0-9]{2}', '%d'],
  d: ['[0-9]{1,2}', '%d'],
  HH: ['([01][0-9]|2[0-3])', '%H'],
  mm: ['[0-5][0-9]', '%M'],
  ss: ['[0-5][0-9]', '%S'],
  SSS: ['[0-9]{3}', '%g'],
};

/** strptime is lenient, so a regular expression looks at the text first. */
interface ReadFormat {
  readonly regex: string;
  readonly format: string;
}

/**
 * Undefined where strptime cannot be told what is meant: other letters, a part twice, no full date (what is missing it
 * takes from 1900), or a single letter that runs into the next number.
 */
export function strptimeFormat(pattern: string): ReadFormat | undefined {
  const parts = datePatternParts(pattern);
  const letters = parts.flatMap((part) => ('letters' in part ? [part.letters] : []));
  const formats = letters.map((letter) => READ[letter]?.[1]);
  const isRunning = parts.some(
    (part, at) => 'letters' in part && part.letters.length === 1 && 'letters' in (parts[at + 1] ?? {}),
  );
  if (isRunning || formats.includes(undefined) || new Set(formats).size < formats.length) return undefined;
  if (!['%Y', '%m', '%d'].every((format) => formats.includes(format))) return undefined;
  const written = (at: 0 | 1, text: (plain: string) => string) =>
    parts.map((part) => ('text' in part ? text(part.text) : (READ[part.letters]?.[at] ?? ''))).join('');
  return {
    regex: written(0, (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')),
    format: written(1, (text) => text.replaceAll('%', '%%')),
  };
}
