// Writes dates by patterns (9.5). The letters of patterns are declared in `model/date-pattern.ts`.

import { type DatePatternPart, datePatternParts } from '#query/model/date-pattern.ts';
import type { Value } from '#query/model/values.ts';
import { isLocaleText, type Locale, localeNamed, zoneNamed } from '#query/model/zones.ts';
import { CompiledPatterns } from '#query/values/compiled-patterns.ts';
import { DATE_NAMES } from './date-names.ts';
import { digits, offsetText } from './dates.ts';

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

type Writer = (at: Temporal.ZonedDateTime, locale: Locale) => string;

const twelve = (hour: number): number => hour % 12 || 12;

const shortDay: Writer = ({ dayOfWeek }, locale) => DATE_NAMES[locale].shortDays[dayOfWeek - 1] ?? '';

/** Dates are in milliseconds, so digits after the third are zeros. */
const fractionWriter =
  (length: number): Writer =>
  ({ millisecond }) =>
    digits(millisecond, 3).padEnd(length, '0').slice(0, length);

const WRITERS: Readonly<Record<string, Writer>> = {
  yyyy: ({ year }) => digits(year, 4),
  yy: ({ year }) => digits(year % 100, 2),
  M: ({ month }) => String(month),
  MM: ({ month }) => digits(month, 2),
  MMM: ({ month }, locale) => DATE_NAMES[locale].shortMonths[month - 1] ?? '',
  MMMM: ({ month }, locale) => DATE_NAMES[locale].months[month - 1] ?? '',
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
  ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => ['S'.repeat(at + 1), fractionWriter(at + 1)])),
  a: ({ hour }, locale) => DATE_NAMES[locale].halves[hour < 12 ? 0 : 1] ?? '',
  E: shortDay,
  EE: shortDay,
  EEE: shortDay,
  EEEE: ({ dayOfWeek }, locale) => DATE_NAMES[locale].days[dayOfWeek - 1] ?? '',
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

const knownParts = new CompiledPatterns<readonly DatePatternPart[]>();

const partsOf = (pattern: string) => knownParts.get(pattern, () => datePatternParts(pattern));
