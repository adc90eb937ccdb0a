// Durations and spans as text (2.5, 4.6). They stand apart from `times.ts` because they need neither a clock nor a
// zone.

const DURATION_UNITS = ['s', 'm', 'h', 'd', 'w', 'mon', 'y'] as const;

export type DurationUnit = (typeof DURATION_UNITS)[number];

export interface Duration {
  readonly count: number;
  readonly unit: DurationUnit;
}

/** The names of the same units in date functions (9.5). */
export const DATE_UNITS: Readonly<Record<DurationUnit, string>> = {
  s: 'sec',
  m: 'min',
  h: 'hour',
  d: 'day',
  w: 'week',
  mon: 'mon',
  y: 'year',
};

const LARGEST = 999_999_999;

export function durationOf(text: string): Duration | undefined {
  const [, digits, unit] = /^(\d{1,12})([a-z]{1,3})$/.exec(text) ?? [];
  const known = DURATION_UNITS.find((one) => one === unit);
  const count = Number(digits);
  return known && count <= LARGEST ? { count, unit: known } : undefined;
}

export const isDuration = (text: string): boolean => durationOf(text) !== undefined;

export const durationText = ({ count, unit }: Duration): string => `${count}${unit}`;

const MONTHS = [1, 2, 3, 4, 6];

/** A span divides time into buckets: it is positive, months divide a year, and years are single. */
export function timeSpanOf(text: string): Duration | undefined {
  const duration = durationOf(text);
  if (!duration || duration.count < 1) return undefined;
  if (duration.unit === 'mon' && !MONTHS.includes(duration.count)) return undefined;
  return duration.unit === 'y' && duration.count !== 1 ? undefined : duration;
}

export const isTimeSpan = (text: string): boolean => timeSpanOf(text) !== undefined;

/** An offset shifts the starts of buckets and has a unit of fixed length or days. */
export function spanOffset(text: string): Duration | undefined {
  const duration = durationOf(text);
  return duration && ['s', 'm', 'h', 'd'].includes(duration.unit) ? duration : undefined;
}
