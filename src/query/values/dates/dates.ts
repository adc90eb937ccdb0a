// Dates: time text (3.3), calendar arithmetic, buckets (4.6), parts (9.5).
//
// A date is in the years 1 to 9999 of some offset, so that `0001-01-01` is one in every zone; every engine can store it. A
// result outside of them is null.

import { DATE_UNITS, type Duration } from '#query/model/durations.ts';
import type { Steps } from '#query/model/run-facts.ts';
import { RunFailure } from '#query/values/failures.ts';

const DAY = 86_400_000;
const EARLIEST = Date.UTC(2000, 0, 1) - 730_119 * DAY - DAY; // A day before 0001-01-01 of UTC.
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999) + DAY;

/** The date at `milliseconds` since 1970. */
export function instantOf(milliseconds: number): Temporal.Instant | null {
  if (!(milliseconds >= EARLIEST && milliseconds <= LATEST)) return null;
  return Temporal.Instant.fromEpochMilliseconds(Math.trunc(milliseconds));
}

const TIME_TEXT =
  /^(\d{4}-\d\d-\d\d)(?:[ T]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{3}))?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

export function timeTextOf(text: string, zone: string): Temporal.Instant | null {
  const [, day, hour = '00', minute = '00', second = '00', fraction = '000', offset] = TIME_TEXT.exec(text) ?? [];
  if (day === undefined) return null;
  const clock = `${day}T${hour}:${minute}:${second}.${fraction}`;
  try {
    return offset === undefined
      ? wallInstant(Temporal.PlainDateTime.from(clock), zone)
      : instantOf(Temporal.Instant.from(clock + offset).epochMilliseconds);
  } catch {
    return null;
  }
}

/** A wall-clock time that occurs twice is the first one; one in a gap moves forward by the gap. */
export function wallInstant(wall: Temporal.PlainDateTime, zone: string): Temporal.Instant | null {
  return attempted(() => wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds);
}

function attempted(milliseconds: () => number): Temporal.Instant | null {
  try {
    return instantOf(milliseconds());
  } catch {
    return null;
  }
}

export const digits = (value: number, length: number): string => String(value).padStart(length, '0');

/** For example `+0900`; seconds of a historical offset are truncated. */
export function offsetText(zoned: Temporal.ZonedDateTime, separator = ''): string {
  const minutes = Math.trunc(zoned.offsetNanoseconds / 60e9);
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${digits(Math.trunc(size / 60), 2)}${separator}${digits(size % 60, 2)}`;
}

/** In the form `yyyy-MM-dd HH:mm:ssZ`. */
export function dateText(date: Temporal.Instant, zone: string): string {
  const at = date.toZonedDateTimeISO(zone);
  const day = `${digits(at.year, 4)}-${digits(at.month, 2)}-${digits(at.day, 2)}`;
  return `${day} ${digits(at.hour, 2)}:${digits(at.minute, 2)}:${digits(at.second, 2)}${offsetText(at)}`;
}

const FIXED_UNITS: Readonly<Record<string, number>> = { hour: 3_600_000, min: 60_000, sec: 1000, msec: 1 };
const CALENDAR_UNITS: Readonly<Record<string, 'days' | 'weeks' | 'months' | 'years'>> = {
  day: 'days',
  week: 'weeks',
  mon: 'months',
  year: 'years',
};

/** The date `count` units later: same wall-clock time for days and longer units. */
export function moved(date: Temporal.Instant, unit: string, count: number, zone: string): Temporal.Instant | null {
  const fixed = FIXED_UNITS[unit];
  if (fixed !== undefined) return instantOf(date.epochMilliseconds + count * fixed);
  const calendar = CALENDAR_UNITS[unit];
  if (calendar === undefined || Math.abs(count) > 4_000_000) return null;
  if (count === 0) return date;
  return attempted(() => {
    const wall = date
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .add({ [calendar]: count });
    return wall.toZonedDateTime(zone).epochMilliseconds;
  });
}

const LENGTHS: Readonly<Record<string, number>> = { day: 864e5, week: 6048e5, mon: 2_629_746e3, year: 31_556_952e3 };

/** Whole units from one date to another: the largest k with moved(from, k) not after `to`. */
export function difference(from: Temporal.Instant, to: Temporal.Instant, unit: string, zone: string): bigint | null {
  const milliseconds = to.epochMilliseconds - from.epochMilliseconds;
  if (milliseconds < 0) {
    const back = difference(to, from, unit, zone);
    return back === null ? null : -back;
  }
  const fixed = FIXED_UNITS[unit];
  if (fixed !== undefined) return BigInt(Math.floor(milliseconds / fixed));
  const length = LENGTHS[unit];
  if (length === undefined) return null;
  const isReached = (count: number) => {
    const there = moved(from, unit, count, zone);
    return there !== null && Temporal.Instant.compare(there, to) <= 0;
  };
  let count = Math.max(0, Math.floor(milliseconds / length) - 2);
  while (isReached(count + 1)) count += 1;
  return BigInt(count);
}

export function movedBy(date: Temporal.Instant, { count, unit }: Duration, zone: string, times = 1) {
  return moved(date, DATE_UNITS[unit], count * times, zone);
}

/** Start of the bucket that contains a date; an offset shifts every start later. */
export function bucketStart(date: Temporal.Instant, span: Duration, offset: Duration | undefined, zone: string) {
  if (!offset || offset.count === 0) return bucket(date, span, zone);
  const before = movedBy(date, offset, zone, -1);
  const start = before && bucket(before, span, zone);
  return start && movedBy(start, offset, zone);
}

const REAL_UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
const WALL_UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
/** Weeks begin on Monday; 1970 began on a Thursday. */
const MONDAY = -3 * 86_400_000;

function bucket(date: Temporal.Instant, { count, unit }: Duration, zone: string): Temporal.Instant | null {
  const zoned = date.toZonedDateTimeISO(zone);
  const wall = date.epochMilliseconds + Math.round(zoned.offsetNanoseconds / 1e6);
  const real = unit === 'h' && count > 1 ? undefined : REAL_UNITS[unit];
  if (real !== undefined) return instantOf(date.epochMilliseconds - modulo(wall, real * count));
  const length = WALL_UNITS[unit];
  if (length !== undefined) {
    const origin = unit === 'w' ? MONDAY : 0;
    return wallInstant(plainTime(wall - modulo(wall - origin, length * count)), zone);
  }
  const month = unit === 'y' ? 0 : Math.floor((zoned.month - 1) / count) * count;
  return wallInstant(new Temporal.PlainDateTime(zoned.year, month + 1, 1), zone);
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const plainTime = (wall: number): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime();

const PARTS: Readonly<Record<string, (at: Temporal.ZonedDateTime) => number>> = {
  year: ({ year }) => year,
  quarter: ({ month }) => Math.ceil(month / 3),
  mon: ({ month }) => month,
  day: ({ day }) => day,
  hour: ({ hour }) => hour,
  min: ({ minute }) => minute,
  sec: ({ second }) => second,
  msec: ({ millisecond }) => millisecond,
  dow: ({ dayOfWeek }) => dayOfWeek % 7,
  isodow: ({ dayOfWeek }) => dayOfWeek,
  doy: ({ dayOfYear }) => dayOfYear,
  week: ({ weekOfYear }) => weekOfYear ?? 0,
  epoch: ({ epochMilliseconds }) => Math.floor(epochMilliseconds / 1000),
};

export function datePart(date: Temporal.Instant, part: string, zone: string): bigint | null {
  const read = PARTS[part];
  return read ? BigInt(read(date.toZonedDateTimeISO(zone))) : null;
}

const MAX_STEPS = 100_000;
/** The cost of one step of the calendar. */
const DATE_STEPS = 16;

/** `from`, `from` + step, ... before `to`, each computed from the first, so that months do not drift. */
export function dateSteps(
  from: Temporal.Instant,
  to: Temporal.Instant,
  step: Duration,
  { zone, steps }: { readonly zone: string; readonly steps?: Steps },
) {
  const dates: Temporal.Instant[] = [];
  for (let times = 0; ; times += 1) {
    steps?.take(DATE_STEPS);
    const date = movedBy(from, step, zone, times);
    if (date === null || Temporal.Instant.compare(date, to) >= 0) return dates;
    if (times >= MAX_STEPS) throw new RunFailure(93010, MAX_STEPS);
    dates.push(date);
  }
}

/** Wall-clock time without an offset, for example `2026-11-15 12:00:00.060`. */
export function wallText(date: Temporal.Instant, zone: string): string {
  const wall = date.toZonedDateTimeISO(zone).toPlainDateTime();
  return wall.toString({ fractionalSecondDigits: 3 }).replace('T', ' ');
}
