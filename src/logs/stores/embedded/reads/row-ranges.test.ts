import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import { type RowRange, segmentsOf, sourceFiles } from './row-ranges.ts';

const ROWS = 20;
const segments = Array.from({ length: 50 }, (_, n) => ({ file: `${n}`, rows: ROWS }) as Segment);
const range = fc
  .record({ at: fc.nat(segments.length - 1), from: fc.nat(ROWS - 1), rows: fc.integer({ min: 1, max: ROWS }) })
  .map(({ at, from, rows }) => ({ segment: segments[at], from, rows: Math.min(rows, ROWS - from) }) as RowRange);

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

it('reads every row of the ranges once, each file in one way, and of few ranges no other row', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 80 }), (ranges) => {
      const { paths, parts = [] } = sourceFiles(
        ranges,
        segmentsOf(ranges).map(({ file }) => file),
      );
      const read = [
        ...paths.flatMap((path) => numbers(0, ROWS).map((row) => `${path} ${row}`)),
        ...parts.flatMap(({ path, from, to }) => numbers(from, to).map((row) => `${path} ${row}`)),
      ];
      expect(new Set(read).size).toBe(read.length);
      const wanted = new Set(
        ranges.flatMap(({ segment, from, rows }) => numbers(from, from + rows).map((row) => `${segment.file} ${row}`)),
      );
      expect(wanted.isSubsetOf(new Set(read))).toBe(true);
      if (ranges.length <= 32) expect(read.length).toBe(wanted.size);
    }),
  );
});
