// Date patterns (9.5) as formats of DuckDB's strftime and strptime, for the letters that these support.

import { datePatternParts } from '#query/model/date-pattern.ts';
import type { Locale } from '#query/model/zones.ts';
import { DATE_NAMES } from '#query/values/dates/date-names.ts';
import { type NumberGroup, type ReadPatternUnit, readPatternUnits } from '#query/values/dates/date-reading.ts';

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
  ...Object.fromEntries(Array.from({ length: 7 }, (_, zeros) => [`SSS${'S'.repeat(zeros)}`, `%g${'0'.repeat(zeros)}`])),
  a: '%p',
  E: '%a',
  EE: '%a',
  EEE: '%a',
  EEEE: '%A',
  u: '%u',
  D: '%-j',
  DDD: '%j',
};

const OFFSETS: Readonly<Record<string, string>> = { Z: '', XX: '', XXX: ':' };

/** Letters whose Korean names depend on the weekday (from Monday) or the half of the day. */
const KOREAN_NAMES: Readonly<Record<string, KoreanNames>> = {
  a: { part: 'half', names: DATE_NAMES.ko.halves },
  E: { part: 'weekday', names: DATE_NAMES.ko.shortDays },
  EE: { part: 'weekday', names: DATE_NAMES.ko.shortDays },
  EEE: { part: 'weekday', names: DATE_NAMES.ko.shortDays },
  EEEE: { part: 'weekday', names: DATE_NAMES.ko.days },
};

const KOREAN_MONTH = '%-m월';

interface KoreanNames {
  readonly part: 'weekday' | 'half';
  readonly names: readonly string[];
}

/** A format, an offset with the separator of its hours and minutes, or names. */
export type FormatPiece = { readonly format: string } | { readonly separator: string } | KoreanNames;

/** Undefined if a letter has no counterpart; empty for an empty pattern. */
export function strftimePieces(pattern: string, locale: Locale): FormatPiece[] | undefined {
  const pieces: FormatPiece[] = [];
  for (const part of datePatternParts(pattern)) {
    const piece = 'text' in part ? { format: part.text.replaceAll('%', '%%') } : letterPiece(part.letters, locale);
    const last = pieces.at(-1);
    if (!piece) return undefined;
    if (last && 'format' in last && 'format' in piece)
      pieces[pieces.length - 1] = { format: last.format + piece.format };
    else pieces.push(piece);
  }
  return pieces;
}

function letterPiece(letters: string, locale: Locale): FormatPiece | undefined {
  const separator = OFFSETS[letters];
  if (separator !== undefined) return { separator };
  if (locale === 'ko' && letters.startsWith('MMM')) return { format: KOREAN_MONTH };
  const names = locale === 'ko' ? KOREAN_NAMES[letters] : undefined;
  if (names) return names;
  const format = LETTERS[letters];
  return format === undefined ? undefined : { format };
}

/** How DuckDB reads the dates of a pattern. strptime reads less than patterns do, so the text is rewritten first. */
export interface ReadFormat {
  /** Matches texts that fit; has one group per part of the date. */
  readonly regex: string;
  /** The parts of a text that fits, in the form that the first possible one of `formats` reads. */
  readonly template: string;
  readonly formats: readonly string[];
  /** Texts that strptime reads as they are, which takes a third of the time; absent if there are none. */
  readonly direct?: DirectFormat;
}

interface DirectFormat {
  readonly regex: string;
  readonly format: string;
}

/**
 * Undefined if only the local evaluator reads the pattern: it has other letters than numbers and names of months and
 * weekdays, a day of the year, a part twice, or text that continues the number or name before it.
 */
export function readFormat(pattern: string, locale: Locale): ReadFormat | undefined {
  const units = readPatternUnits(pattern);
  const sources = units.map((unit, index) => unitSource(unit, units[index - 1], locale));
  if (!sources.every((source) => source !== undefined)) return undefined;
  const parts = sources.flatMap((source) => source.parts);
  if (new Set(parts).size < parts.length) return undefined;
  const groupOf = (part: DatePart) => (parts.includes(part) ? `\\${parts.indexOf(part) + 1}` : DEFAULTS[part]);
  const date = DATE_PARTS.map(groupOf).join('-');
  const clock = CLOCK_PARTS.map(groupOf).join(':');
  const last = units.at(-1);
  const tail = last && 'numbers' in last ? '(?:[^0-9](?s:.*))?' : '(?s:.*)';
  const hasYearOfTwo = units.some((unit) => 'numbers' in unit && unit.numbers.some(({ letters }) => letters === 'yy'));
  const months =
    locale === 'en' && units.some((unit) => 'letters' in unit && unit.letters.startsWith('M')) ? ['%b', '%B'] : ['%m'];
  const direct = locale === 'ko' && units.some((unit) => 'letters' in unit) ? undefined : directFormat(units, parts);
  return {
    regex: `^${sources.map(({ regex }) => regex).join('')}${tail}$`,
    template: `${date} ${clock}.${groupOf('millisecond')}`,
    formats: months.map((month) => `${hasYearOfTwo ? '%y' : '%Y'}-${month}-%d %H:%M:%S.%f`),
    ...(direct ? { direct } : {}),
  };
}

const DATE_PARTS = ['year', 'month', 'day'] as const;
const CLOCK_PARTS = ['hour', 'minute', 'second'] as const;
type DatePart = (typeof DATE_PARTS)[number] | (typeof CLOCK_PARTS)[number] | 'millisecond';

const DEFAULTS: Readonly<Record<DatePart, string>> = {
  year: '1970',
  month: '1',
  day: '1',
  hour: '0',
  minute: '0',
  second: '0',
  millisecond: '0',
};

interface UnitSource {
  readonly regex: string;
  /** Of its groups, in order. */
  readonly parts: readonly DatePart[];
}

const SPACE = '[ \\t\\r\\n]*';

function unitSource(
  unit: ReadPatternUnit,
  before: ReadPatternUnit | undefined,
  locale: Locale,
): UnitSource | undefined {
  if ('text' in unit) return isContinued(unit.text, before) ? undefined : { regex: textRegex(unit.text), parts: [] };
  if ('letters' in unit) return locale === 'en' ? nameSource(unit.letters) : koreanSource(unit.letters, before);
  const groups = unit.numbers.map((group, index) => numberSource(group, digitsOf(unit.numbers, index)));
  if (!groups.every((group) => group !== undefined)) return undefined;
  return { regex: `${SPACE}${groups.map(({ regex }) => regex).join('')}`, parts: groups.flatMap(({ parts }) => parts) };
}

/** A regular expression goes back where reading never does. */
function isContinued(text: string, before: ReadPatternUnit | undefined): boolean {
  if (text.includes(' \t')) return true;
  if (!before || 'text' in before) return false;
  return 'numbers' in before ? /^[0-9]/.test(text) : /^[A-Za-z요]/.test(text);
}

const textRegex = (text: string): string => escaped(text).replace(/ +/g, '[ \\t]+');

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const anyOf = (names: readonly string[]): string => `(?i:${names.join('|')})`;

function nameSource(letters: string): UnitSource | undefined {
  const { months, shortMonths, days, shortDays } = DATE_NAMES.en;
  if (letters.startsWith('M')) return { regex: `${SPACE}(${anyOf([...months, ...shortMonths])})`, parts: ['month'] };
  if (letters.startsWith('E')) return { regex: `${SPACE}${anyOf([...days, ...shortDays])}`, parts: [] };
  return undefined;
}

function koreanSource(letters: string, before: ReadPatternUnit | undefined): UnitSource | undefined {
  const { days, shortDays } = DATE_NAMES.ko;
  if (letters.startsWith('E')) return { regex: `${SPACE}${anyOf([...days, ...shortDays])}`, parts: [] };
  const followsDigits = before && 'numbers' in before;
  return letters.startsWith('M') && !followsDigits
    ? { regex: `${SPACE}(1[0-2]|[1-9])월`, parts: ['month'] }
    : undefined;
}

type Digits = readonly [min: number, max: number];

function digitsOf(groups: readonly NumberGroup[], index: number): Digits {
  const { letters = '', kind } = groups[index] ?? {};
  if (groups.length === 1 && kind) return [kind.minDigits, kind.maxDigits];
  return [letters.length, letters.length + (index === 0 && letters.length === 1 ? 1 : 0)];
}

function numberSource({ kind: { part } }: NumberGroup, digits: Digits): UnitSource | undefined {
  if (part === 'dayOfYear') return undefined;
  if (part === undefined) return { regex: '[1-7]', parts: [] };
  if (part !== 'millisecond') return { regex: `(${rangeRegex(part, digits)})`, parts: [part] };
  const [min, max] = digits.map((count) => Math.min(count, 3));
  const [unread, most] = digits.map((count) => Math.max(count - 3, 0));
  const surplus = most === Infinity ? '[0-9]*' : `[0-9]{${unread}}`;
  return { regex: `([0-9]{${min},${max}})${surplus}`, parts: [part] };
}

/** strptime checks the ranges of the others. */
function rangeRegex(part: NonNullable<NumberGroup['kind']['part']>, [min, max]: Digits): string {
  const isClock = (CLOCK_PARTS as readonly string[]).includes(part) && max === 2;
  const mark = min === 1 ? '?' : '';
  if (isClock) return part === 'hour' ? `[01]${mark}[0-9]|2[0-3]` : `[0-5]${mark}[0-9]`;
  return `[0-9]{${min},${max}}`;
}

/**
 * strptime takes parts that are not given from 1900, splits a run of digits in its own way unless all have two, and skips
 * white space at the beginning.
 */
function directFormat(units: readonly ReadPatternUnit[], parts: readonly DatePart[]): DirectFormat | undefined {
  if (!DATE_PARTS.every((part) => parts.includes(part))) return undefined;
  const text = units.map((unit) => ('text' in unit ? unit.text : 'x')).join('');
  if (/^\s|[^\S ]/.test(text)) return undefined;
  const pieces = units.flatMap((unit) => {
    if ('text' in unit) return { regex: escaped(unit.text), format: unit.text.replaceAll('%', '%%') };
    if ('letters' in unit) return DIRECT_NAMES[unit.letters];
    return unit.numbers.map((group) => directNumber(group, unit.numbers.length > 1));
  });
  if (!pieces.every((piece) => piece !== undefined)) return undefined;
  const written = (key: keyof DirectFormat) => pieces.map((piece) => piece[key]).join('');
  return { regex: written('regex'), format: written('format') };
}

const DIRECT_NAMES: Readonly<Record<string, DirectFormat>> = {
  MMM: { regex: anyOf(DATE_NAMES.en.shortMonths), format: '%b' },
  MMMM: { regex: anyOf(DATE_NAMES.en.months), format: '%B' },
};

const DIRECT_NUMBERS: Readonly<Partial<Record<string, string>>> = {
  year: '%Y',
  month: '%m',
  day: '%d',
  hour: '%H',
  minute: '%M',
  second: '%S',
};

function directNumber({ letters, kind: { part, minDigits, maxDigits } }: NumberGroup, isInRun: boolean) {
  if (letters === 'SSS') return { regex: '[0-9]{3}', format: '%g' };
  const format = part && DIRECT_NUMBERS[part];
  if (part === undefined || format === undefined || letters === 'yy' || (isInRun && letters.length === 1))
    return undefined;
  const digits: Digits = isInRun ? [letters.length, letters.length] : [minDigits, maxDigits];
  return { regex: `(?:${rangeRegex(part, digits)})`, format };
}
