// The days that would be removed, counted before anything is.

import { type DayFigures, dayAfter } from '#console/components/charts/day-buckets.ts';
import { now, parseIso, toIso } from '#console/time/moments.ts';

export interface Removal {
  readonly days: number;
  readonly rows: number;
  readonly bytes: number;
}

/** The first day that a retention of so many days keeps, as the service counts; undefined where all are kept. */
export const firstKeptDay = (retention: number, today: string): string | undefined =>
  retention === 0 ? undefined : dayAfter(today, -retention);

export function removalOf(days: readonly DayFigures[], isRemoved: (day: string) => boolean): Removal {
  const removed = days.filter(({ day }) => isRemoved(day));
  return {
    days: removed.length,
    rows: removed.reduce((sum, { rows }) => sum + rows, 0),
    bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Today where the service is. Its stamps tell how far its clock is from UTC. */
export function serviceDay(stamp: string | undefined, at = now()): string {
  const [, sign, hours, minutes] = /([+-])(\d{2})(\d{2})$/.exec(stamp ?? '') ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  return toIso(at + offset).slice(0, 10);
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && parseIso(`${text}T00:00:00Z`) !== undefined;
