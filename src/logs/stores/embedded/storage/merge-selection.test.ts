// Which segments are merged: simulated over days of seals, without any file.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Segment } from './catalog.ts';
import { type DayState, HEADROOM, type MergeSizes, PLAIN_SIZES, selectMerge } from './merge-selection.ts';
import { isFullOfLong, sizedOf } from './record-sizes.ts';

const ACTIVE = { isResting: false, isDense: false, takesForm: false };
const RESTING = { isResting: true, isDense: false, takesForm: false };
const DENSE = { isResting: true, isDense: true, takesForm: false };
const HOUR = 3_600_000;

/** A segment, with how often the records in it were written again. */
interface Simulated extends Segment {
  readonly rewrites: number;
}

const sealed = (rows: number, at: number, codec: Segment['codec'] = 'lz4_raw'): Simulated => ({
  day: '2026-11-15',
  file: `${at}`,
  rows,
  bytes: rows * 50,
  minTime: at * HOUR,
  maxTime: (at + 1) * HOUR - 1,
  minId: at,
  maxId: at,
  mac: null,
  codec,
  recordBytes: rows * 200,
  form: 2,
  rewrites: 0,
});

/** Merges until there is nothing to merge; every merge keeps its bounds. */
function settle(segments: readonly Simulated[], state: DayState, sizes: MergeSizes = PLAIN_SIZES): Simulated[] {
  let all = [...segments];
  for (;;) {
    const selected = selectMerge(all, sizes, () => state);
    if (!selected) return all;
    // They are those that were given.
    const from = selected.from as readonly Simulated[];
    const into = merged(from, selected.isDense);
    const isFull = into.rows >= sizes.rows || into.bytes >= sizes.bytes || isFullOfLong(sizedOf(into));
    const isMadeDense = selected.isDense && from.every(({ codec }) => codec !== 'zstd');
    const biggest = Math.max(...from.map(({ rows }) => rows));
    expect(isMadeDense || (from.length > 1 && (isFull || into.rows >= 2 * biggest))).toBe(true);
    expect(from.length === 1 || (into.rows <= sizes.rows * HEADROOM && into.bytes <= sizes.bytes * HEADROOM)).toBe(
      true,
    );
    all = [...all.filter((segment) => !from.includes(segment)), into];
  }
}

function merged(from: readonly Simulated[], isDense: boolean): Simulated {
  const sum = (of: (segment: Simulated) => number) => from.reduce((total, segment) => total + of(segment), 0);
  const [first = sealed(0, 0)] = from;
  return {
    ...first,
    rows: sum(({ rows }) => rows),
    bytes: sum(({ bytes }) => bytes),
    recordBytes: sum(({ recordBytes }) => recordBytes ?? 0),
    form: 2,
    minTime: Math.min(...from.map(({ minTime }) => minTime)),
    maxTime: Math.max(...from.map(({ maxTime }) => maxTime)),
    codec: isDense ? 'zstd' : 'lz4_raw',
    rewrites: Math.max(...from.map(({ rewrites }) => rewrites)) + 1,
  };
}

/** One after the other, as they are sealed. */
function sealing(sizes: readonly number[]): Simulated[] {
  let all: Simulated[] = [];
  for (const [at, rows] of sizes.entries()) all = settle([...all, sealed(rows, at)], ACTIVE);
  return all;
}

it('makes a hundred files of a day of a hundred million records, and writes each record once again', () => {
  const day = sealing(Array.from({ length: 1000 }, () => 100_000));
  expect(day.map(({ rows }) => rows)).toEqual(Array.from({ length: 100 }, () => 1_000_000));
  expect(new Set(day.map(({ rewrites }) => rewrites))).toEqual(new Set([1]));
  const byTime = day.toSorted((a, b) => a.minTime - b.minTime);
  expect(byTime.every(({ minTime }, index) => minTime > (byTime[index - 1]?.maxTime ?? -1))).toBe(true);
});

it('merges files of an earlier version with their neighbours in time, however they are numbered', () => {
  const rows = (at: number) => 90_000 + ((at * 7919) % 20_000);
  const files = settle(
    Array.from({ length: 200 }, (_, at) => sealed(rows(at), (at * 37) % 200, '')),
    ACTIVE,
  );
  expect(files.length).toBeLessThan(30);
  const spans = files.filter(({ rewrites }) => rewrites > 0).map(({ minTime, maxTime }) => (maxTime - minTime) / HOUR);
  expect(Math.max(...spans)).toBeLessThan(15);
});

it('bounds how often a record is written again, and how many files a resting day has', () => {
  const rows = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 500_000 }));
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 120 }), (sizes) => {
      const active = sealing(sizes);
      expect(Math.max(0, ...active.map(({ rewrites }) => rewrites))).toBeLessThanOrEqual(10);
      const resting = settle(active, RESTING);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      expect(resting.reduce((sum, { rows: size }) => sum + size, 0)).toBe(total);
      const dense = settle(resting, DENSE);
      expect(dense.every(({ codec }) => codec === 'zstd')).toBe(true);
      expect(dense.length).toBeLessThanOrEqual((2 * total) / PLAIN_SIZES.rows + 2);
    }),
    { numRuns: 50 },
  );
});

it('leaves a dense day alone when late records come, but makes them dense, too', () => {
  const rested = sealed(900_000, 0, 'zstd');
  const late = [sealed(3, 1), sealed(2, 2)];
  expect(settle([rested, ...late], ACTIVE)).toEqual([rested, ...late]);
  const again = settle([rested, ...late], DENSE);
  expect(again.map(({ rows, codec }) => ({ rows, codec }))).toEqual([
    { rows: 900_000, codec: 'zstd' },
    { rows: 5, codec: 'zstd' },
  ]);
});

it('fills files by their bytes where records are long', () => {
  const long = Array.from({ length: 9 }, (_, at) => ({ ...sealed(100, at), bytes: 30 * 2 ** 20 }));
  expect(settle(long, ACTIVE).map(({ rows }) => rows)).toEqual([100, 800]);
});

it('leaves segments of long records apart, of which one vector is more than a reader holds at once', () => {
  const long = (rows: number, at: number): Simulated => ({ ...sealed(rows, at), recordBytes: rows * 2 ** 20 });
  const settled = settle([40, 20, 10, 64, 90].map(long), RESTING);
  expect(settled.map(({ rows }) => rows).sort((a, b) => a - b)).toEqual([64, 70, 90]);
  // Of an earlier version, which did not record how long they are.
  const unknown = settle([{ ...sealed(100, 1), recordBytes: null, bytes: 9 * 2 ** 20 }, sealed(10, 2)], RESTING);
  expect(unknown).toHaveLength(2);
});

it('Segments of earlier forms are written again, dense ones apart, and only once their day rests', () => {
  const former = [sealed(1_000_000, 0), sealed(200_000, 1), sealed(700_000, 2, 'zstd')].map(
    (segment): Simulated => ({ ...segment, form: 0 }),
  );
  const [full, ...others] = former;
  const present = [sealed(1_000_000, 3), sealed(1_000_000, 4, 'zstd')];
  const select = (segments: readonly Segment[], state: DayState) => selectMerge(segments, PLAIN_SIZES, () => state);
  const rewriting = { ...RESTING, takesForm: true };
  expect(select([...former.slice(0, 2), ...present], RESTING)).toBeUndefined();
  expect(select([...former, ...present], rewriting)).toEqual({ from: [others[1]], isDense: true });
  expect(select([...former.slice(0, 2), ...present], rewriting)).toEqual({ from: [full, others[0]], isDense: false });
  expect(select(present, rewriting)).toBeUndefined();
});
