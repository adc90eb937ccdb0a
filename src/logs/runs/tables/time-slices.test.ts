import fc from 'fast-check';
import { expect, it } from 'vitest';
import { check } from '#test/support/query.ts';
import {
  firstSliceRows,
  followed,
  mostSorted,
  nextSliceRows,
  restBehind,
  seemingMatches,
  sliceUpTo,
} from './time-slices.ts';

const edge = fc.option(fc.integer({ min: -1, max: 101 }), { nil: undefined });

it('takes a range in slices that follow each other in the direction of the scan, and leaves nothing out', () => {
  fc.assert(
    fc.property(fc.constantFrom('asc', 'desc'), edge, edge, edge, (direction, from, to, bound) => {
      const at = (time: number) => Temporal.Instant.fromEpochMilliseconds(time);
      const range = { ...(from === undefined ? {} : { from: at(from) }), ...(to === undefined ? {} : { to: at(to) }) };
      const slice = sliceUpTo({ direction }, range, bound);
      const rest = restBehind({ direction }, range, slice);
      const [first = slice, last = slice] = direction === 'asc' ? [slice, rest] : [rest, slice];
      expect(first.from).toEqual(range.from);
      expect(last.to).toEqual(range.to);
      if (rest) expect(first.to).toEqual(last.from);
      if (rest && from !== undefined && to !== undefined) expect(from < to).toBe(true);
    }),
  );
});

it('takes as many rows next as those so far let expect, and eight times as many where none was found', () => {
  expect(nextSliceRows(4096, 0, { left: 100 })).toBe(32_768);
  expect(nextSliceRows(4096, 2, { left: 98 })).toBe(301_056);
  expect(nextSliceRows(40_960, 99, { left: 1 })).toBe(40_960);
  expect(nextSliceRows(400_000, 400_000, { left: undefined })).toBe(3_200_000);
  expect(nextSliceRows(9_000_000, 1, { left: 1_000_000 })).toBe(10_000_000);
});

it('takes long records as few at a time as memory holds, and more of them where few become rows', () => {
  const most = mostSorted(2 ** 20);
  expect(most).toBe(128);
  expect(mostSorted(1000)).toBe(10_000_000);
  expect(nextSliceRows(128, 128, { left: undefined, most })).toBe(128);
  expect(nextSliceRows(128, 2, { left: undefined, most })).toBe(4096);
  expect(nextSliceRows(4096, 100, { left: undefined, most })).toBe(5243);
  expect(nextSliceRows(128, 0, { left: 5, most })).toBe(1024);
  const { result } = check('table t').plan;
  const found = followed(result, () => false);
  expect(found && firstSliceRows(result, found, most)).toBe(128);
});

it('Rows that seem to match are twice those that a limit has to find, and all where few of them did', () => {
  expect(seemingMatches({ rows: 40_000, left: 100 })).toBe(200);
  expect(seemingMatches({ rows: 60_000, left: 50 })).toBe(300);
  expect(seemingMatches({ rows: 540_000, left: 90 })).toBe(540_000);
  expect(seemingMatches({ rows: 65_536, left: 10_000 })).toBe(20_000);
  expect(seemingMatches({ rows: 400_000, left: undefined })).toBe(400_000);
});

it.each([
  ['table t | eval a = 1 | limit 100', 100],
  ['table t | search a == 1 | limit 100', 40_000],
  ['fulltext "a" from t | limit 5', 4096],
  ['table t | search a == 1 | limit 1000000', 1_000_000],
  ['table t', 400_000],
  ['table t | fields a', 400_000],
  ['table t | search a == 1', 1_200_000],
])('takes some ten thousands of rows first where a condition has to find some of them: %s', (text, rows) => {
  const { result } = check(text).plan;
  const found = followed(result, () => false);
  expect(found && firstSliceRows(result, found)).toBe(rows);
});

it.each([
  ['table t | limit 5 | eval a = 1', true],
  ['fulltext "a" from t | limit 5', true],
  ['fulltext "a" from t', false],
  ['fulltext [ table t | fields b ] from t | limit 5', false],
  ['table t | eval n = seq() | limit 5', false],
  ['table t | limit 5 | eval n = seq()', false],
])('reads span by span only what no other row matters for: %s', (text, isFollowed) => {
  const { result } = check(text).plan;
  expect(followed(result, () => false) !== undefined).toBe(isFollowed);
  // A table of the run in between has the rows of all slices.
  expect(followed(result, (node) => node === result)).toBeUndefined();
});
