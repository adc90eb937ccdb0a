// Figures of tables whose records are in several places.

import type { DayStats, TableStats } from '#logs/log-store.ts';

/** By the ids of tables. */
export function addedStats(all: readonly ReadonlyMap<number, TableStats>[]): Map<number, TableStats> {
  return added(all, (one, other) => ({
    ...sums(one, other),
    minTime: outermost(Math.min, one.minTime, other.minTime),
    maxTime: outermost(Math.max, one.maxTime, other.maxTime),
  }));
}

/** By days. */
export const addedDays = (all: readonly ReadonlyMap<string, DayStats>[]): Map<string, DayStats> => added(all, sums);

function added<K, F>(all: readonly ReadonlyMap<K, F>[], add: (one: F, other: F) => F): Map<K, F> {
  const total = new Map<K, F>();
  for (const figures of all) {
    for (const [key, more] of figures) {
      const known = total.get(key);
      total.set(key, known ? add(known, more) : more);
    }
  }
  return total;
}

const sums = (one: DayStats, other: DayStats): DayStats => ({
  rows: one.rows + other.rows,
  dataBytes: one.dataBytes + other.dataBytes,
  indexBytes: one.indexBytes + other.indexBytes,
});

const outermost = (choose: (one: number, other: number) => number, one?: number, other?: number): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : choose(one, other);
