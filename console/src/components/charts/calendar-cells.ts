// The cells of a calendar strip: one row for each day, one cell for each hour, in the zone of the reader.

import { parseIso, textOf } from '#console/time/moments.ts';

const DAY_MS = 86_400_000;
export const HOURS = 24;

export interface CalendarCell<T> {
  /** `2026-11-15 10`. */
  readonly key: string;
  readonly day: string;
  /** 0 to 23; an hour that a clock change repeats is one cell. */
  readonly hour: number;
  readonly items: readonly T[];
}

export interface CalendarDays<T> {
  /** Newest last; days without an item are there, too. */
  readonly days: readonly string[];
  /** Cells that have items, in the order of time. */
  readonly cells: readonly CalendarCell<T>[];
}

/** `count` days that end with the day of `end`. Items of other days are left out. */
export function calendarDays<T>(
  items: readonly T[],
  momentOf: (item: T) => number,
  { end, count, zone }: { readonly end: number; readonly count: number; readonly zone: string },
): CalendarDays<T> {
  const days = daysBefore(end, count, zone);
  const byCell = Map.groupBy(items, (item) => textOf(momentOf(item), zone).slice(0, 'yyyy-mm-dd hh'.length));
  const cells = [...byCell]
    .map(([key, own]) => ({ key, day: key.slice(0, 10), hour: Number(key.slice(11)), items: own }))
    .filter(({ day }) => days.includes(day))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return { days, cells };
}

/** Around noon UTC a date plus a whole number of days is never another date. */
function daysBefore(end: number, count: number, zone: string): readonly string[] {
  const last = parseIso(`${textOf(end, zone, 'day')}T12:00:00Z`) ?? end;
  return Array.from({ length: count }, (_, index) => textOf(last - (count - 1 - index) * DAY_MS, 'UTC', 'day'));
}

/** The cell that a key of the keyboard leads to; undefined for other keys, and where there is none. */
export function cellBeside<T>(key: string, from: CalendarCell<T>, { days, cells }: CalendarDays<T>) {
  const index = cells.findIndex((cell) => cell.key === from.key);
  if (key === 'ArrowRight') return cells[index + 1];
  if (key === 'ArrowLeft') return index > 0 ? cells[index - 1] : undefined;
  if (key === 'Home') return cells[0];
  if (key === 'End') return cells.at(-1);
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const rows =
    key === 'ArrowDown' ? days.slice(days.indexOf(from.day) + 1) : days.slice(0, days.indexOf(from.day)).toReversed();
  const day = rows.find((candidate) => cells.some((cell) => cell.day === candidate));
  const distance = ({ hour }: CalendarCell<T>) => Math.abs(hour - from.hour);
  return cells.filter((cell) => cell.day === day).toSorted((one, other) => distance(one) - distance(other))[0];
}
