// Times as syslog writes them: in full (RFC 3339), or without year and zone (RFC 3164).

import { isStorable } from '#kernel/time/storable-time.ts';

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
const SHORT = /(([A-Z][a-z]{2}) {1,2}(\d{1,2})(?: (\d{4}))? (\d\d):(\d\d)):(\d\d)(?:\.(\d{1,9}))?/y;

const DAY_MS = 86_400_000;
/** The 29th of February comes back after eight years at the latest. */
const YEARS_TRIED = 10;

interface Minute {
  /** As it is written, with the day. */
  readonly written: string;
  readonly begins: number;
}

/** The time without year and zone that begins at `from`, of a line that arrived at a moment. */
export type ShortTime = (text: string, from: number, at: number) => FoundTime | undefined;

/**
 * Reads times on the wall in `zone`. One without a year is of the newest that puts it at most a day after `at`, because
 * clocks differ. Many lines are of one minute, which is worked out once.
 */
export function shortTimes(zone: string): ShortTime {
  let known: Minute = { written: '', begins: 0 };
  return (text, from, at) => {
    SHORT.lastIndex = from;
    const [whole = '', written = '', name = '', day, year, hour, minute, second, fraction = ''] =
      SHORT.exec(text) ?? [];
    const month = MONTHS.indexOf(name) + 1;
    if (month === 0) return undefined;
    const parts = { month, day: Number(day), hour: Number(hour), minute: Number(minute) };
    const isKnown = known.written === written && (year !== undefined || isNewest(known.begins, at));
    const begins = isKnown ? known.begins : minuteOf(parts, year, { at, zone });
    if (begins === undefined || Number(second) > 59) return undefined;
    known = { written, begins };
    return storable(begins + Number(second) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3)), from + whole.length);
  };
}

/** Whether no later year would do, with some days to spare. */
const isNewest = (time: number, at: number): boolean => time <= at + DAY_MS && at + DAY_MS < time + 360 * DAY_MS;

type MinuteParts = Readonly<Record<'month' | 'day' | 'hour' | 'minute', number>>;

function minuteOf(parts: MinuteParts, year: string | undefined, { at, zone }: { at: number; zone: string }) {
  if (year !== undefined) return onWall({ ...parts, year: Number(year) }, zone);
  const latest = Temporal.Instant.fromEpochMilliseconds(at + DAY_MS).toZonedDateTimeISO(zone).year;
  for (let tried = latest; tried > latest - YEARS_TRIED; tried -= 1) {
    const time = onWall({ ...parts, year: tried }, zone);
    if (time !== undefined && time <= at + DAY_MS) return time;
  }
  return undefined;
}

function onWall(parts: MinuteParts & { readonly year: number }, zone: string): number | undefined {
  try {
    return Temporal.PlainDateTime.from(parts, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

const storable = (time: number, end: number): FoundTime | undefined => (isStorable(time) ? { time, end } : undefined);
