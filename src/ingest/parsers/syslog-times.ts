// Times as syslog writes them: in full (RFC 3339), or without year and zone (RFC 3164).

import { isStorable } from '#ingest/record.ts';

export interface FoundTime {
  /** Epoch milliseconds. */
  readonly time: number;
  /** Behind it in the text. */
  readonly end: number;
}

const FULL = /\d{4}-\d\d-\d\dT\d\d:\d\d:(\d\d)(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/y;

/** Undefined where no such time begins at `from`. */
export function fullTime(text: string, from: number): FoundTime | undefined {
  FULL.lastIndex = from;
  const [written, second] = FULL.exec(text) ?? [];
  // Temporal reads a leap second as :59, and RFC 5424 has none.
  if (written === undefined || second === '60') return undefined;
  try {
    return storable(Temporal.Instant.from(written).epochMilliseconds, from + written.length);
  } catch {
    return undefined;
  }
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** Some devices write the year or parts of a second, though RFC 3164 has neither. */
const SHORT = /([A-Z][a-z]{2}) {1,2}(\d{1,2})(?: (\d{4}))? (\d\d):(\d\d):(\d\d)(?:\.(\d{3})\d{0,6})?/y;

const DAY_MS = 86_400_000;
/** The 29th of February comes back after eight years at the latest. */
const YEARS_TRIED = 10;

/** On the wall in `zone`. Without a year it is the newest that is not after `at` by more than a day: clocks differ. */
export function shortTime(
  text: string,
  from: number,
  { at, zone }: { at: number; zone: string },
): FoundTime | undefined {
  SHORT.lastIndex = from;
  const [written = '', name = '', day, year, hour, minute, second, fraction = '0'] = SHORT.exec(text) ?? [];
  const month = MONTHS.indexOf(name) + 1;
  if (month === 0) return undefined;
  const parts = {
    month,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction),
  };
  const end = from + written.length;
  if (year !== undefined) return storable(onWall({ ...parts, year: Number(year) }, zone), end);
  const next = Temporal.Instant.fromEpochMilliseconds(at + DAY_MS).toZonedDateTimeISO(zone).year;
  for (let tried = next; tried > next - YEARS_TRIED; tried -= 1) {
    const time = onWall({ ...parts, year: tried }, zone);
    if (time !== undefined && time <= at + DAY_MS) return storable(time, end);
  }
  return undefined;
}

function onWall(parts: { year: number; month: number; day: number }, zone: string): number | undefined {
  try {
    return Temporal.PlainDateTime.from(parts, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

const storable = (time: number | undefined, end: number): FoundTime | undefined =>
  time !== undefined && isStorable(time) ? { time, end } : undefined;
