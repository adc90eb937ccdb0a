import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Segment } from '#logs/stores/embedded/storage/catalog.ts';
import { closeBound } from './close-bound.ts';
import { type RowRange, wholeRange } from './row-ranges.ts';

const GROUP = 10_000;
const BLOCK = 2500;

/** A row each millisecond, in groups and blocks. */
function segmentAt(groups: number, minTime: number): Segment {
  const rows = groups * GROUP;
  // Of a segment, nothing else is asked for.
  return { file: `${minTime}`, rows, minTime, maxTime: minTime + rows - 1 } as Segment;
}

const divide = async ({ segment, from, rows, minTime }: RowRange): Promise<RowRange[]> => {
  const size = rows > GROUP ? GROUP : BLOCK;
  return Array.from({ length: rows / size }, (_, index) => {
    const first = minTime + index * size;
    return { segment, from: from + index * size, rows: size, minTime: first, maxTime: first + size - 1 };
  });
};

it('counts only rows of ranges that are kept, and always reaches as many of them as are wanted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      // Segments of no more rows are not divided.
      fc.integer({ min: 1, max: 2 * GROUP - 1 }),
      fc.constantFrom('asc' as const, 'desc' as const),
      async (flags, records, order) => {
        const segments = flags.map((own, index) => segmentAt(own.length, index * 10 * GROUP));
        const isKept = ({ segment, from, rows }: RowRange) =>
          flags[segments.indexOf(segment)]
            ?.slice(Math.floor(from / GROUP), Math.ceil((from + rows) / GROUP))
            .includes(true);
        const keep = async (ranges: readonly RowRange[]) => ranges.filter(isKept);
        const bound = await closeBound(
          await keep(segments.map(wholeRange)),
          { range: {}, order, records },
          divide,
          keep,
        );
        const kept = segments.flatMap(({ minTime }, at) =>
          (flags[at] ?? []).flatMap((is, group) => (is ? [minTime + group * GROUP] : [])),
        );
        const reached = kept.map((begin) =>
          order === 'desc'
            ? begin + GROUP - Math.max(begin, bound ?? begin)
            : Math.min(begin + GROUP - 1, bound ?? begin + GROUP) - begin + 1,
        );
        const rows = reached.reduce((sum, own) => sum + Math.min(GROUP, Math.max(0, own)), 0);
        expect(rows).toBeGreaterThanOrEqual(Math.min(records, kept.length * GROUP));
        if (kept.length * GROUP < records) expect(bound).toBeUndefined();
      },
    ),
    { numRuns: 300 },
  );
});
