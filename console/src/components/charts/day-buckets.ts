// Days in a row, gaps included. Of long spans several days are one bucket.

import { parseIso, toIso } from '#console/time/moments.ts';

export interface DayFigures {
  /** `2026-11-15`. */
  readonly day: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface DayBucket {
  readonly first: string;
  readonly last: string;
  readonly rows: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
const MAX_BUCKETS = 366;

export function dayBuckets(days: readonly DayFigures[]): readonly DayBucket[] {
  const numbered = days.map((figures) => ({ ...figures, number: numberOf(figures.day) }));
  if (numbered.length === 0) return [];
  const numbers = numbered.map(({ number }) => number);
  const first = Math.min(...numbers);
  const last = Math.max(...numbers);
  const width = Math.ceil((last - first + 1) / MAX_BUCKETS);
  const sums = Array.from({ length: Math.ceil((last - first + 1) / width) }, () => ({ rows: 0, bytes: 0 }));
  for (const { number, rows, bytes } of numbered) {
    const sum = sums[Math.floor((number - first) / width)];
    if (sum) Object.assign(sum, { rows: sum.rows + rows, bytes: sum.bytes + bytes });
  }
  return sums.map((sum, index) => {
    const begin = first + index * width;
    return { first: dayOf(begin), last: dayOf(Math.min(last, begin + width - 1)), ...sum };
  });
}

/** The day that lies so many days after another. */
export const dayAfter = (day: string, count: number): string => dayOf(numberOf(day) + count);

const numberOf = (day: string): number => Math.floor((parseIso(`${day}T00:00:00Z`) ?? 0) / DAY_MS);

const dayOf = (number: number): string => toIso(number * DAY_MS).slice(0, 10);
