// The wire format of moments, `yyyy-MM-dd HH:mm:ssZ`, of days, and the freer time text of logs and queries: parsed and
// formatted only here.

import { type OffsetPeriod, offsetPeriodAt } from '#kernel/time/offset-periods.ts';
import { offsetTimeAt } from '#kernel/time/offset-time.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';

const STAMP = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})([+\- ])(\d{2})(\d{2})$/;

export function toStamp(at: Temporal.Instant, zone: string): string {
  const local = at.toZonedDateTimeISO(zone);
  const clock = local.toPlainTime().toString({ smallestUnit: 'second' });
  return `${dayText(local.toPlainDate())} ${clock}${local.offset.slice(0, 6).replace(':', '')}`;
}

/** ISO 8601 writes a year of five digits with six and a sign; here it has its digits alone, as `string()` writes it. */
const dayText = (day: Temporal.PlainDate): string => day.toString().replace(/^\+0*/, '');

interface StampPeriod extends OffsetPeriod {
  /** The offset as the last part of a stamp. */
  readonly text: string;
}

/** Cached periods per zone: far-off times in one result must not fill the memory. */
const MAX_PERIODS = 64;
const MAX_DAYS = 10_000;
const DAY = 86_400_000;
const EPOCH_DAY = Temporal.PlainDate.from('1970-01-01');
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Precision of moments in rows; stamps elsewhere have no milliseconds. */
export const PRECISIONS = ['seconds', 'millis'] as const;
export type Precision = (typeof PRECISIONS)[number];

/**
 * The stamps of many moments of one zone, given as epoch milliseconds. Results have millions of them, so Temporal is
 * called only once per day and per offset period.
 */
export function stampsIn(zone: string, precision: Precision = 'seconds'): (epochMilliseconds: number) => string {
  const days = new BoundedMap<number, string>({ max: MAX_DAYS, evicts: 'all' });
  let periods: StampPeriod[] = [];
  let recent: StampPeriod | undefined;

  const periodAt = (at: number): StampPeriod => {
    if (recent && at >= recent.begins && at < recent.ends) return recent;
    let found = periods.find(({ begins, ends }) => at >= begins && at < ends);
    if (!found) {
      const period = offsetPeriodAt(at, zone);
      found = { ...period, text: period.offsetText.slice(0, 6).replace(':', '') };
      periods = [found, ...periods.slice(0, MAX_PERIODS - 1)];
    }
    recent = found;
    return found;
  };
  const dayOf = (number: number): string => {
    const known = days.get(number);
    if (known !== undefined) return known;
    const name = dayText(EPOCH_DAY.add({ days: number }));
    days.set(number, name);
    return name;
  };
  return (at) => {
    const { offset, text } = periodAt(at);
    const day = Math.floor((at + offset) / DAY);
    const seconds = Math.floor((at + offset - day * DAY) / 1000);
    const hour = Math.floor(seconds / 3600);
    const minute = Math.floor(seconds / 60) % 60;
    const fraction = precision === 'millis' ? `.${String(modulo(at, 1000)).padStart(3, '0')}` : '';
    return `${dayOf(day)} ${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[seconds % 60]}${fraction}${text}`;
  };
}

/** The same with its cache kept: a service has one zone, and every answer has stamps in it. */
export function keptStampsIn(zone: string): (epochMilliseconds: number) => string {
  const known = kept.get(zone);
  if (known) return known;
  const stamps = stampsIn(zone);
  kept.set(zone, stamps);
  return stamps;
}

const kept = new BoundedMap<string, (epochMilliseconds: number) => string>({ max: 8, evicts: 'refuse' });

/** Offsets of zones are whole seconds. */
const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Undefined when the text is not of the format or names no real moment. */
export function fromStamp(text: string): Temporal.Instant | undefined {
  const parts = STAMP.exec(text);
  if (!parts) return undefined;
  const [, day, clock, sign, hours, minutes] = parts;
  // Temporal reads a leap second as :59; our format names no such moment.
  if (clock?.endsWith(':60')) return undefined;
  // A `+` that was not percent-encoded arrives as a blank.
  const offset = `${sign === ' ' ? '+' : sign}${hours}:${minutes}`;
  try {
    return Temporal.Instant.from(`${day}T${clock}${offset}`);
  } catch {
    return undefined;
  }
}

/** Whether the text is a real day, written `yyyy-MM-dd`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}

const TIME_TEXT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Time text of logs and queries: a day, then optionally a clock time and an offset; without an offset it is wall time
 * in `zone`. Returns epoch milliseconds, undefined for a text that names no real moment.
 */
export function fromTimeText(text: string, zone: string): number | undefined {
  const usual = offsetTimeAt(text, 0, text.length);
  if (usual !== undefined) return usual;
  const [, day, clock = '00:00', offset] = TIME_TEXT.exec(text) ?? [];
  if (day === undefined || clock.startsWith(':60', 5)) return undefined;
  try {
    return offset === undefined
      ? Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(zone).epochMilliseconds
      : Temporal.Instant.from(`${day}T${clock}${offset}`).epochMilliseconds;
  } catch {
    return undefined;
  }
}
