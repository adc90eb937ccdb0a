import fc from 'fast-check';
import { expect, it } from 'vitest';
import { orderedParts } from './merge-order.ts';

interface Timed {
  readonly minTime: number;
  readonly maxTime: number;
  readonly times: readonly number[];
}

const segmentOf = (times: readonly number[]): Timed => ({
  minTime: Math.min(...times),
  maxTime: Math.max(...times),
  times: times.toSorted((a, b) => a - b),
});

/** The times as a merge reads them: an overlap is sorted, and its records are left out of all other parts. */
function read(segments: readonly Timed[]): number[] {
  const parts = orderedParts(segments);
  const overlaps = parts.flatMap((part) => ('overlap' in part ? [part.overlap] : []));
  const isOutside = (time: number) => overlaps.every(({ from, to }) => time < from || time >= to);
  return parts.flatMap((part) => {
    if ('segment' in part) return part.segment.times.filter(isOutside);
    const { from, to, segments: several } = part.overlap;
    const within = several.flatMap(({ times }) => times.filter((time) => time >= from && time < to));
    return within.sort((a, b) => a - b);
  });
}

it('reads every record once, in the order of time', () => {
  const times = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 6 }), (given) => {
      const segments = given.map(segmentOf);
      expect(read(segments)).toEqual(given.flat().sort((a, b) => a - b));
    }),
  );
});

it('sorts only where segments overlap', () => {
  const a = segmentOf([0, 50, 101]);
  const b = segmentOf([100, 150]);
  const c = segmentOf([200, 300]);
  expect(orderedParts([c, b, a])).toEqual([
    { segment: a },
    { overlap: { from: 100, to: 102, segments: [b, a] } },
    { segment: b },
    { segment: c },
  ]);
});
