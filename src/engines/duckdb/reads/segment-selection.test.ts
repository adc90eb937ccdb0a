import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Segment } from '#engines/duckdb/storage/catalog.ts';
import { segmentsFor, type Wanted } from './segment-selection.ts';

const made = (file: string, times: readonly number[]): Segment => ({
  day: '2026-11-15',
  file,
  rows: times.length,
  bytes: 1,
  minTime: Math.min(...times),
  maxTime: Math.max(...times),
  minId: 1,
  maxId: 1,
  mac: null,
  codec: 'lz4_raw',
});

const wanted = { range: {}, order: 'desc', records: 2 } as const;
const filesFor = (segments: readonly Segment[], of: Wanted) => segmentsFor(segments, of).map(({ file }) => file);

it('opens only the newest segments for the newest records, and the oldest for the oldest', () => {
  const segments = [made('a', [1, 2, 3]), made('b', [4, 5, 6]), made('c', [7, 8, 9])];
  expect(filesFor(segments, wanted)).toEqual(['c']);
  expect(filesFor(segments, { ...wanted, records: 4 })).toEqual(['b', 'c']);
  expect(filesFor(segments, { ...wanted, order: 'asc' })).toEqual(['a']);
});

it('does not count on a segment that is only partly in the range', () => {
  const segments = [made('a', [1, 2, 3]), made('b', [4, 5, 6])];
  expect(filesFor(segments, { ...wanted, range: { to: 5 } })).toEqual(['a', 'b']);
  expect(filesFor(segments, { ...wanted, range: { from: 4 } })).toEqual(['b']);
});

it('never leaves out a segment with a wanted record', () => {
  const times = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 8 });
  const bound = fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined });
  const read = fc.record({ records: fc.nat(18), order: fc.constantFrom('asc', 'desc') });
  fc.assert(
    fc.property(fc.array(times, { maxLength: 8 }), bound, bound, read, (contents, from, to, { records, order }) => {
      const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const selected = new Set(
        filesFor(
          contents.map((of, n) => made(`${n}`, of)),
          { range, order, records },
        ),
      );
      const rowsOf = (isMeant: (file: string) => boolean) =>
        contents
          .flatMap((of, n) => (isMeant(`${n}`) ? of : []))
          .filter((time) => time >= (from ?? time) && time < (to ?? time + 1))
          .sort((a, b) => (order === 'asc' ? a - b : b - a))
          .slice(0, records);
      expect(rowsOf((file) => selected.has(file))).toEqual(rowsOf(() => true));
    }),
  );
});
