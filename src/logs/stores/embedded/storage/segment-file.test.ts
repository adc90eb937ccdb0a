import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupRows } from './segment-file.ts';

it('gives a file row groups of at most 122,880 rows, and a small one for the newest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000 }), (rows) => {
      const size = groupRows({ rows, recordBytes: rows * 200 });
      expect(size % 2048).toBe(0);
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThanOrEqual(122_880);
      const last = rows % size || size;
      if (rows >= 24_576) {
        expect(last).toBeGreaterThanOrEqual(8192);
        expect(last).toBeLessThan(8192 + 2048 * Math.ceil(rows / 100_000 + 1));
      }
    }),
    { numRuns: 1000 },
  );
});

it('gives long records smaller row groups, down to a vector', () => {
  const rowsOf = (bytes: number) => groupRows({ rows: 200_000, recordBytes: 200_000 * bytes });
  expect([200, 2000, 20_000, 200_000].map(rowsOf)).toEqual([94_208, 30_720, 2048, 2048]);
  expect(groupRows({ rows: 200_000, recordBytes: null })).toBe(rowsOf(200));
});
