// Reads dates by patterns (9.5): goes over pattern and text from left to right, and never back, so that the work is
// linear in the text whatever the pattern is.

import { datePatternParts } from '#query/model/date-pattern.ts';
import type { Locale } from '#query/model/zones.ts';
import { CompiledPatterns } from '#query/values/compiled-patterns.ts';
import type { DateContext } from './date-format.ts';
import { DATE_NAMES, type DateNames } from './date-names.ts';
import { instantOf, wallInstant } from './dates.ts';

/** Null if the text does not fit, a number is out of range, or the day does not exist. */
export function readByPattern(text: string, pattern: string, { zone, locale }: DateContext): Temporal.Instant | null {
  const reading: Reading = { text, at: 0, parts: { ...EPOCH } };
  return stepsOf(pattern, locale).every((step) => step(reading)) ? instantFrom(reading.parts, zone) : null;
}

interface Parts {
  year: number;
  month: number;
  day: number;
  dayOfYear?: number;
  hour: number;
  /** Set if the hour counts in halves of the day. */
  isTwelve: boolean;
  isAfternoon?: boolean;
  minute: number;
  second: number;
  millisecond: number;
  /** Minutes ahead of UTC. */
  offset?: number;
}

/** Parts that are not given. */
const EPOCH: Readonly<Parts> = {
  year: 1970,
  month: 1,
  day: 1,
  hour: 0,
  isTwelve: false,
  minute: 0,
  second: 0,
  millisecond: 0,
};

interface Reading {
  readonly text: string;
  at: number;
  readonly parts: Parts;
}

/** Moves on in the text; false if it does not fit. */
type Step = (reading: Reading) => boolean;

const known = new CompiledPatterns<readonly Step[]>();

const stepsOf = (pattern: string, locale: Locale): readonly Step[] =>
  known.get(`${locale}:${pattern}`, () => readPatternUnits(pattern).flatMap((unit) => stepsOfUnit(unit, locale)));

function stepsOfUnit(unit: ReadPatternUnit, locale: Locale): readonly Step[] {
  if ('text' in unit)
    return [...unit.text.matchAll(/ +|[^ ]+/g)].map(([part]) => (part.startsWith(' ') ? blanks : literal(part)));
  const step =
    'numbers' in unit ? numberRun(unit.numbers) : OFFSETS.has(unit.letters) ? offset : names(unit.letters, locale);
  return [skipSpace, step];
}

/** What is read as one: text, several numbers side by side (which share a run of digits), or a name or an offset. */
export type ReadPatternUnit =
  | { readonly text: string }
  | { readonly numbers: readonly NumberGroup[] }
  | { readonly letters: string };

export interface NumberGroup {
  readonly letters: string;
  readonly kind: NumberKind;
}

export function readPatternUnits(pattern: string): ReadPatternUnit[] {
  const parts = datePatternParts(pattern);
  const hasHalf = parts.some((part) => 'letters' in part && part.letters === 'a');
  const units: ReadPatternUnit[] = [];
  for (const part of parts) {
    const last = units.at(-1);
    const kind = 'letters' in part ? numberKind(part.letters, hasHalf) : undefined;
    if ('text' in part) {
      if (last && 'text' in last) units[units.length - 1] = { text: last.text + part.text };
      else units.push(part);
    } else if (kind === undefined) units.push(part);
    else {
      const group = { letters: part.letters, kind };
      if (last && 'numbers' in last) units[units.length - 1] = { numbers: [...last.numbers, group] };
      else units.push({ numbers: [group] });
    }
  }
  return units;
}

interface NumberKind {
  /** The part of the date that it gives; absent for weekdays, which are read and ignored. */
  readonly part?: 'year' | 'month' | 'day' | 'dayOfYear' | 'hour' | 'minute' | 'second' | 'millisecond';
  /** Digits of a group that stands alone. */
  readonly minDigits: number;
  readonly maxDigits: number;
  readonly min: number;
  readonly max: number;
  readonly isTwelve?: true;
}

const oneOrTwo = (part: NonNullable<NumberKind['part']>, min: number, max: number): NumberKind => ({
  part,
  minDigits: 1,
  maxDigits: 2,
  min,
  max,
});

const HOUR = oneOrTwo('hour', 0, 23);
const DAY_OF_YEAR: NumberKind = { part: 'dayOfYear', minDigits: 1, maxDigits: 3, min: 1, max: 366 };

const NUMBERS: Readonly<Record<string, NumberKind>> = {
  yyyy: { part: 'year', minDigits: 4, maxDigits: 4, min: 0, max: 9999 },
  yy: { part: 'year', minDigits: 2, maxDigits: 2, min: 0, max: 99 },
  M: oneOrTwo('month', 1, 12),
  MM: oneOrTwo('month', 1, 12),
  d: oneOrTwo('day', 1, 31),
  dd: oneOrTwo('day', 1, 31),
  H: HOUR,
  HH: HOUR,
  m: oneOrTwo('minute', 0, 59),
  mm: oneOrTwo('minute', 0, 59),
  s: oneOrTwo('second', 0, 59),
  ss: oneOrTwo('second', 0, 59),
  u: { minDigits: 1, maxDigits: 1, min: 1, max: 7 },
  D: DAY_OF_YEAR,
  DDD: DAY_OF_YEAR,
};

const FRACTION: NumberKind = { part: 'millisecond', minDigits: 1, maxDigits: Infinity, min: 0, max: 999 };
const TWELVE: NumberKind = { ...HOUR, isTwelve: true };

function numberKind(letters: string, hasHalf: boolean): NumberKind | undefined {
  if (letters.startsWith('S')) return FRACTION;
  if (letters.startsWith('h')) return hasHalf ? TWELVE : HOUR;
  return NUMBERS[letters];
}

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const skipSpace: Step = (reading) => {
  while (isSpace(reading.text.charCodeAt(reading.at))) reading.at += 1;
  return true;
};

/** Blanks of the pattern. */
const blanks: Step = (reading) => {
  const begin = reading.at;
  while (reading.text[reading.at] === ' ' || reading.text[reading.at] === '\t') reading.at += 1;
  return reading.at > begin;
};

const literal =
  (text: string): Step =>
  (reading) => {
    if (!reading.text.startsWith(text, reading.at)) return false;
    reading.at += text.length;
    return true;
  };

/** A run of digits, whole, which the groups share. */
function numberRun(groups: readonly NumberGroup[]): Step {
  const lengths = groups.map(({ letters }) => letters.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const alone = groups.length === 1 ? groups[0] : undefined;
  return (reading) => {
    const begin = reading.at;
    while (isDigit(reading.text.charCodeAt(reading.at))) reading.at += 1;
    const run = reading.text.slice(begin, reading.at);
    if (alone)
      return (
        run.length >= alone.kind.minDigits && run.length <= alone.kind.maxDigits && take(reading.parts, alone, run)
      );
    // A single letter takes one digit more if it is the first.
    const surplus = run.length - total;
    if (surplus !== 0 && !(surplus === 1 && lengths[0] === 1)) return false;
    let from = 0;
    return groups.every((group, index) => {
      const to = from + (lengths[index] ?? 0) + (index === 0 ? surplus : 0);
      const digits = run.slice(from, to);
      from = to;
      return take(reading.parts, group, digits);
    });
  };
}

function take(parts: Parts, { letters, kind }: NumberGroup, digits: string): boolean {
  const { part, min, max, isTwelve = false } = kind;
  const value = Number(part === 'millisecond' ? digits.slice(0, 3).padEnd(3, '0') : digits);
  if (value < min || value > max) return false;
  if (part === 'hour') parts.isTwelve = isTwelve;
  if (part !== undefined) parts[part] = letters === 'yy' ? value + (value < FIRST_OF_1900S ? 2000 : 1900) : value;
  return true;
}

/** Two digits of a year are 1969 to 2068, as POSIX has it. */
const FIRST_OF_1900S = 69;

/** The short and the long name alike, the longest that fits. */
function names(letters: string, locale: Locale): Step {
  const { lists, set } = NAMES[letters.charAt(0)] ?? { lists: [], set: () => {} };
  const all = lists
    .flatMap((list) => DATE_NAMES[locale][list].map((name, index) => ({ name: folded(name), index })))
    .sort((left, right) => right.name.length - left.name.length);
  const most = all[0]?.name.length ?? 0;
  return (reading) => {
    const ahead = folded(reading.text.slice(reading.at, reading.at + most));
    const found = all.find(({ name }) => ahead.startsWith(name));
    if (!found) return false;
    reading.at += found.name.length;
    set(reading.parts, found.index);
    return true;
  };
}

interface NameKind {
  readonly lists: readonly (keyof DateNames)[];
  readonly set: (parts: Parts, index: number) => void;
}

const NAMES: Readonly<Record<string, NameKind>> = {
  M: {
    lists: ['months', 'shortMonths'],
    set: (parts, index) => {
      parts.month = index + 1;
    },
  },
  E: { lists: ['days', 'shortDays'], set: () => {} },
  a: {
    lists: ['halves'],
    set: (parts, index) => {
      parts.isAfternoon = index === 1;
    },
  },
};

/** ASCII letters alone: no other letter changes its length. */
const folded = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

export const OFFSETS: ReadonlySet<string> = new Set(['Z', 'X', 'XX', 'XXX']);

/** `Z`, `+09`, `+0900` or `+09:00`; the digits are a whole run each. */
const OFFSET = /Z|([+-])(\d\d)(?::?(\d\d))?(?!\d)/y;

const offset: Step = (reading) => {
  OFFSET.lastIndex = reading.at;
  const [text, sign, hours = '00', minutes = '00'] = OFFSET.exec(reading.text) ?? [];
  if (text === undefined || Number(hours) > 23 || Number(minutes) > 59) return false;
  const size = Number(hours) * 60 + Number(minutes);
  reading.at += text.length;
  reading.parts.offset = sign === '-' ? -size : size;
  return true;
};

function instantFrom(parts: Parts, zone: string): Temporal.Instant | null {
  const wall = wallTime(parts);
  if (!wall) return null;
  if (parts.offset === undefined) return wallInstant(wall, zone);
  return instantOf(wall.toZonedDateTime('UTC').epochMilliseconds - parts.offset * 60_000);
}

/** Undefined for a day that the month or the year does not have. */
function wallTime(parts: Parts): Temporal.PlainDateTime | undefined {
  const { year, dayOfYear, minute, second, millisecond } = parts;
  const clock = { hour: hourOf(parts), minute, second, millisecond };
  const start = Temporal.PlainDateTime.from({
    year,
    month: dayOfYear === undefined ? parts.month : 1,
    day: 1,
    ...clock,
  });
  const [days, most] = dayOfYear === undefined ? [parts.day, start.daysInMonth] : [dayOfYear, start.daysInYear];
  return days <= most ? start.add({ days: days - 1 }) : undefined;
}

/** Hours 1 to 12 that count in halves: 12 is the beginning of its half. */
function hourOf({ hour, isTwelve, isAfternoon = false }: Parts): number {
  if (isTwelve && (hour < 1 || hour > 12)) return hour;
  const start = isTwelve && hour === 12 ? 0 : hour;
  return isAfternoon && start < 12 ? start + 12 : start;
}
