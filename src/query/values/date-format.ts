// Writes and reads dates by patterns (9.5). The letters of patterns are declared in `model/date-pattern.ts`.

import { type DatePatternPart, datePatternParts } from '#query/model/date-pattern.ts';
import type { Value } from '#query/model/values.ts';
import { isLocaleText, type Locale, localeNamed, zoneNamed } from '#query/model/zones.ts';
import { digits, instantOf, offsetText, wallInstant } from './dates.ts';

/** Where and in which language a date is written or read. */
export interface DateContext {
  readonly zone: string;
  readonly locale: Locale;
}

/** From the optional arguments of string() and date(), zone and locale in either order. */
export function dateContext(given: readonly (Value | undefined)[], ownZone: string): DateContext {
  const texts = given.filter((text) => typeof text === 'string');
  const locale = texts.find(isLocaleText);
  const zone = texts.find((text) => !isLocaleText(text));
  return {
    zone: (zone === undefined ? undefined : zoneNamed(zone)) ?? ownZone,
    locale: (locale === undefined ? undefined : localeNamed(locale)) ?? 'en',
  };
}

interface Names {
  readonly months: readonly string[];
  readonly shortMonths: readonly string[];
  /** Starts on Monday. */
  readonly days: readonly string[];
  readonly shortDays: readonly string[];
  readonly halves: readonly string[];
}

const NAMES: Readonly<Record<Locale, Names>> = {
  en: {
    months: 'January February March April May June July August September October November December'.split(' '),
    shortMonths: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
    days: 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' '),
    shortDays: 'Mon Tue Wed Thu Fri Sat Sun'.split(' '),
    halves: ['AM', 'PM'],
  },
  ko: {
    months: Array.from({ length: 12 }, (_, at) => `${at + 1}월`),
    shortMonths: Array.from({ length: 12 }, (_, at) => `${at + 1}월`),
    days: [...'월화수목금토일'].map((day) => `${day}요일`),
    shortDays: [...'월화수목금토일'],
    halves: ['오전', '오후'],
  },
};

type Writer = (at: Temporal.ZonedDateTime, locale: Locale) => string;

const twelve = (hour: number): number => hour % 12 || 12;

const WRITERS: Readonly<Record<string, Writer>> = {
  yyyy: ({ year }) => digits(year, 4),
  yy: ({ year }) => digits(year % 100, 2),
  M: ({ month }) => String(month),
  MM: ({ month }) => digits(month, 2),
  MMM: ({ month }, locale) => NAMES[locale].shortMonths[month - 1] ?? '',
  MMMM: ({ month }, locale) => NAMES[locale].months[month - 1] ?? '',
  d: ({ day }) => String(day),
  dd: ({ day }) => digits(day, 2),
  H: ({ hour }) => String(hour),
  HH: ({ hour }) => digits(hour, 2),
  h: ({ hour }) => String(twelve(hour)),
  hh: ({ hour }) => digits(twelve(hour), 2),
  m: ({ minute }) => String(minute),
  mm: ({ minute }) => digits(minute, 2),
  s: ({ second }) => String(second),
  ss: ({ second }) => digits(second, 2),
  S: ({ millisecond }) => digits(millisecond, 3).slice(0, 1),
  SS: ({ millisecond }) => digits(millisecond, 3).slice(0, 2),
  SSS: ({ millisecond }) => digits(millisecond, 3),
  a: ({ hour }, locale) => NAMES[locale].halves[hour < 12 ? 0 : 1] ?? '',
  E: ({ dayOfWeek }, locale) => NAMES[locale].shortDays[dayOfWeek - 1] ?? '',
  EEEE: ({ dayOfWeek }, locale) => NAMES[locale].days[dayOfWeek - 1] ?? '',
  u: ({ dayOfWeek }) => String(dayOfWeek),
  D: ({ dayOfYear }) => String(dayOfYear),
  DDD: ({ dayOfYear }) => digits(dayOfYear, 3),
  Z: (at) => offsetText(at),
  XX: (at) => offsetText(at),
  XXX: (at) => offsetText(at, ':'),
  // Minutes are written only if they are not zero, so that no information is lost.
  X: (at) => offsetText(at).replace(/00$/, ''),
};

export function formatted(date: Temporal.Instant, pattern: string, { zone, locale }: DateContext): string {
  const at = date.toZonedDateTimeISO(zone);
  return partsOf(pattern)
    .map((part) => ('text' in part ? part.text : (WRITERS[part.letters]?.(at, locale) ?? '')))
    .join('');
}

interface Parts {
  year: number;
  month: number;
  day: number;
  dayOfYear?: number;
  hour: number;
  isAfternoon?: boolean;
  minute: number;
  second: number;
  millisecond: number;
  offset?: string;
}

interface Reader {
  /** Source of a regular expression of the host; literal text of the pattern is escaped. */
  readonly source: (locale: Locale) => string;
  readonly take: (parts: Parts, text: string, locale: Locale) => void;
}

const number = (source: string, take: (parts: Parts, value: number) => void): Reader => ({
  source: () => source,
  take: (parts, text) => take(parts, Number(text)),
});

const named = (list: keyof Names, take: (parts: Parts, index: number) => void): Reader => ({
  // Longest first: no name begins with 1월, but 11월 ends in 1월.
  source: (locale) => [...NAMES[locale][list]].sort((left, right) => right.length - left.length).join('|'),
  take: (parts, text, locale) => take(parts, NAMES[locale][list].indexOf(text)),
});

const ignored = () => {};
const offset = (source: string): Reader => ({
  source: () => source,
  take: (parts, text) => {
    parts.offset = text === 'Z' ? '+00:00' : text.length === 3 ? `${text}:00` : text;
  },
});

const setHour = (parts: Parts, hour: number) => {
  parts.hour = hour;
};
const setTwelve = (parts: Parts, hour: number) => {
  parts.hour = hour === 12 ? 0 : hour;
  parts.isAfternoon ??= false;
};
const setMonth = (parts: Parts, month: number) => {
  parts.month = month;
};
const setDay = (parts: Parts, day: number) => {
  parts.day = day;
};
const setMinute = (parts: Parts, minute: number) => {
  parts.minute = minute;
};
const setSecond = (parts: Parts, second: number) => {
  parts.second = second;
};
const setDayOfYear = (parts: Parts, dayOfYear: number) => {
  parts.dayOfYear = dayOfYear;
};
const fraction = (length: 1 | 2 | 3): Reader =>
  number(`\\d{${length}}`, (parts, value) => {
    parts.millisecond = value * 10 ** (3 - length);
  });

const SIXTY = '[0-5]?\\d';
const HOURS_AND_MINUTES = '[+-](?:[01]\\d|2[0-3])[0-5]\\d';

const READERS: Readonly<Record<string, Reader>> = {
  yyyy: number('\\d{4}', (parts, year) => {
    parts.year = year;
  }),
  yy: number('\\d{2}', (parts, year) => {
    parts.year = 2000 + year;
  }),
  M: number('\\d{1,2}', setMonth),
  MM: number('\\d{2}', setMonth),
  MMM: named('shortMonths', (parts, index) => setMonth(parts, index + 1)),
  MMMM: named('months', (parts, index) => setMonth(parts, index + 1)),
  d: number('\\d{1,2}', setDay),
  dd: number('\\d{2}', setDay),
  H: number('1\\d|2[0-3]|0?\\d', setHour),
  HH: number('[01]\\d|2[0-3]', setHour),
  h: number('1[0-2]|0?[1-9]', setTwelve),
  hh: number('0[1-9]|1[0-2]', setTwelve),
  m: number(SIXTY, setMinute),
  mm: number('[0-5]\\d', setMinute),
  s: number(SIXTY, setSecond),
  ss: number('[0-5]\\d', setSecond),
  S: fraction(1),
  SS: fraction(2),
  SSS: fraction(3),
  a: named('halves', (parts, index) => {
    parts.isAfternoon = index === 1;
  }),
  E: named('shortDays', ignored),
  EEEE: named('days', ignored),
  u: number('[1-7]', ignored),
  D: number('\\d{1,3}', setDayOfYear),
  DDD: number('\\d{3}', setDayOfYear),
  Z: offset(HOURS_AND_MINUTES),
  XX: offset(`${HOURS_AND_MINUTES}|Z`),
  XXX: offset('[+-](?:[01]\\d|2[0-3]):[0-5]\\d|Z'),
  X: offset('[+-](?:[01]\\d|2[0-3])(?:[0-5]\\d)?|Z'),
};

/** Matches the whole text strictly; null if it does not match or names a time that does not exist. */
export function readByPattern(text: string, pattern: string, { zone, locale }: DateContext): Temporal.Instant | null {
  const { regex, readers } = readerOf(pattern, locale);
  const found = regex.exec(text);
  if (!found) return null;
  const parts: Parts = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };
  readers.forEach((reader, index) => {
    reader.take(parts, found[index + 1] ?? '', locale);
  });
  if (parts.isAfternoon && parts.hour < 12) parts.hour += 12;
  try {
    return instantFrom(parts, zone);
  } catch {
    return null;
  }
}

function instantFrom({ dayOfYear, offset: given, isAfternoon: _, ...fields }: Parts, zone: string) {
  const calendar = Temporal.PlainDateTime.from(fields, { overflow: 'reject' });
  const wall = dayOfYear === undefined ? calendar : onDay(calendar, dayOfYear);
  if (!wall) return null;
  return given === undefined
    ? wallInstant(wall, zone)
    : instantOf(Temporal.Instant.from(`${wall}${given}`).epochMilliseconds);
}

function onDay(wall: Temporal.PlainDateTime, dayOfYear: number): Temporal.PlainDateTime | undefined {
  if (dayOfYear < 1 || dayOfYear > wall.daysInYear) return undefined;
  return wall.with({ month: 1, day: 1 }).add({ days: dayOfYear - 1 });
}

interface PatternReader {
  readonly regex: RegExp;
  readonly readers: readonly Reader[];
}

const MAX_KEPT = 1000;
const knownParts = new Map<string, readonly DatePatternPart[]>();
const knownReaders = new Map<string, PatternReader>();

const partsOf = (pattern: string) => kept(knownParts, pattern, () => datePatternParts(pattern));

function readerOf(pattern: string, locale: Locale): PatternReader {
  return kept(knownReaders, `${locale}:${pattern}`, () => {
    const readers: Reader[] = [];
    const sources = partsOf(pattern).map((part) => {
      if ('text' in part) return RegExp.escape(part.text);
      const reader = READERS[part.letters];
      if (reader) readers.push(reader);
      return `(${reader?.source(locale) ?? '(?!)'})`;
    });
    return { regex: new RegExp(`^${sources.join('')}$`, 'u'), readers };
  });
}

function kept<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found) return found;
  if (known.size >= MAX_KEPT) known.clear();
  const made = make();
  known.set(key, made);
  return made;
}
