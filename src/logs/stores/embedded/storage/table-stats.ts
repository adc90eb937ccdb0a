// Figures of a table, added up over its segments and its fresh records.

import type { DayStats, TableStats } from '#logs/log-store.ts';
import type { Segment } from './catalog.ts';
import type { Generation } from './generation.ts';

export function statsOf(
  segments: readonly Segment[],
  generations: readonly Generation[],
  indexBytes: number,
): TableStats {
  const parts = [...segments, ...generations.filter(({ rows }) => rows > 0)];
  const sum = (of: readonly number[]) => of.reduce((total, part) => total + part, 0);
  return {
    rows: sum(parts.map(({ rows }) => rows)),
    dataBytes: sum([...segments, ...generations].map(({ bytes }) => bytes)),
    indexBytes,
    minTime: parts.length === 0 ? undefined : Math.min(...parts.map(({ minTime }) => minTime)),
    maxTime: parts.length === 0 ? undefined : Math.max(...parts.map(({ maxTime }) => maxTime)),
  };
}

/** The same of each day. The bytes of fresh records are divided by the number of records. */
export function dayStatsOf(
  segments: readonly Segment[],
  generations: readonly Generation[],
  indexBytesOf: (file: string) => number,
): ReadonlyMap<string, DayStats> {
  const days = new Map<string, DayStats>();
  const add = (day: string, more: DayStats) => {
    const { rows, dataBytes, indexBytes } = days.get(day) ?? NO_STATS;
    days.set(day, {
      rows: rows + more.rows,
      dataBytes: dataBytes + more.dataBytes,
      indexBytes: indexBytes + more.indexBytes,
    });
  };
  for (const { day, file, rows, bytes } of segments)
    add(day, { rows, dataBytes: bytes, indexBytes: indexBytesOf(file) });
  for (const generation of generations) {
    let rows = generation.rows;
    let bytes = generation.bytes;
    for (const [day, count] of generation.days) {
      // Of what is left, so that the parts add up to the whole.
      const dataBytes = Math.round((bytes * count) / rows);
      [rows, bytes] = [rows - count, bytes - dataBytes];
      add(day, { rows: count, dataBytes, indexBytes: 0 });
    }
  }
  return days;
}

const NO_STATS: DayStats = { rows: 0, dataBytes: 0, indexBytes: 0 };
