import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Scan } from '#query/nodes/shared/scans.ts';
import { check } from '#test/support/query.ts';
import { followed, timeSlicesOf } from './time-slices.ts';

const at = (time: number) => Temporal.Instant.fromEpochMilliseconds(time);
const times = fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })).map(([one, other]) => ({
  minTime: Math.min(one, other),
  maxTime: Math.max(one, other),
  rows: 150_000,
}));
const bound = fc.option(fc.integer({ min: -1, max: 101 }), { nil: undefined });

it('cuts a range into spans that follow each other in the direction of the scan, and leaves nothing out', () => {
  fc.assert(
    fc.property(
      fc.array(times, { maxLength: 12 }),
      fc.constantFrom('asc', 'desc'),
      bound,
      bound,
      (rows, direction, from, to) => {
        const range = {
          ...(from === undefined ? {} : { from: at(from) }),
          ...(to === undefined ? {} : { to: at(to) }),
        };
        const spans = timeSlicesOf(rows, { direction, range } as unknown as Scan);
        const ordered = direction === 'desc' ? spans.toReversed() : spans;
        expect(ordered.at(0)?.from).toEqual(range.from);
        expect(ordered.at(-1)?.to).toEqual(range.to);
        for (const [index, span] of ordered.slice(1).entries()) expect(ordered[index]?.to).toEqual(span.from);
      },
    ),
  );
});

it('does not cut where there is little to read', () => {
  const rows = [1, 2].map((time) => ({ minTime: time, maxTime: time, rows: 100_000 }));
  expect(timeSlicesOf(rows, { direction: 'desc', range: {} } as unknown as Scan)).toEqual([{}]);
});

it.each([
  ['table t | limit 5 | eval a = 1', true],
  ['table t | eval n = seq() | limit 5', false],
  ['table t | limit 5 | eval n = seq()', false],
])('reads span by span only what no other row matters for: %s', (text, isFollowed) => {
  const { result } = check(text).plan;
  expect(followed(result, () => false) !== undefined).toBe(isFollowed);
  // A table of the run in between has the rows of all slices.
  expect(followed(result, (node) => node === result)).toBeUndefined();
});
