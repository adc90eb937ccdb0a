// Figures of a table, added up over its segments and its fresh records.

import type { TableStats } from '#engines/engine.ts';
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
