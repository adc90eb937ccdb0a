// Durations and times of query text (2.5 and 3.3 of the language reference), as epoch milliseconds.

import { fromTimeText } from '#contract/times.ts';

export interface Present {
  readonly now: Temporal.Instant;
  readonly zone: string;
}

export interface TimeRange {
  /** Inclusive. */
  readonly from?: Temporal.Instant;
  /** Exclusive. */
  readonly to?: Temporal.Instant;
}

interface Length {
  readonly count: number;
  readonly unit: string;
}

const UNITS: Readonly<Record<string, string>> = {
  s: 'seconds',
  m: 'minutes',
  h: 'hours',
  d: 'days',
  w: 'weeks',
  mon: 'months',
  y: 'years',
};

/** The start of a duration that ends now; calendar units follow the wall clock. */
function momentAfter({ now, zone }: Present, duration: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([a-z]+)$/.exec(duration) ?? [];
  const name = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (count === undefined || name === undefined) return undefined;
  return attempted(() => now.toZonedDateTimeISO(zone).subtract({ [name]: Number(count) }).epochMilliseconds);
}

/** The end of a duration that starts now; undefined beyond the range of instants. */
export function after({ now, zone }: Present, { count, unit }: Length): Temporal.Instant | undefined {
  const moment = attempted(
    () => now.toZonedDateTimeISO(zone).add({ [UNITS[unit] ?? 'seconds']: count }).epochMilliseconds,
  );
  return moment === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(moment);
}

/** Reads digits `yyyy[MM[dd[HH[mm[ss]]]]]`, or time text in quotes. */
export function momentOf(text: string, zone: string): number | undefined {
  if (text.startsWith('"')) return fromTimeText(text.slice(1, -1), zone);
  const digits = /^(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?$/.exec(text);
  if (!digits) return undefined;
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = digits
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  return attempted(() => wallClock({ year: year ?? 0, month, day, hour, minute, second }, zone));
}

const wallClock = (parts: Temporal.PlainDateTimeLike, zone: string) =>
  Temporal.PlainDateTime.from(parts, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;

/** Undefined for a time that does not exist. */
function attempted(read: () => number): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Now minus a duration; calendar units follow the wall clock. Undefined before the range of instants. */
export function before(present: Present, { count, unit }: Length): Temporal.Instant | undefined {
  const moment = momentAfter(present, `${count}${unit}`);
  return moment === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(moment);
}
