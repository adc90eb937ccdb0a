// Time ranges as an address holds them, and as the reader enters them.

import { describe, expect, it } from 'vitest';
import { absoluteRange, LAST_DAY, lengthOf, rangeOf, rangeOfWallClocks, resolveRange, wallClockOf } from './ranges.ts';

const at = (iso: string) => Date.parse(iso);
const NOW = at('2026-11-15T12:00:00Z');

describe('A time range', () => {
  it.each([
    ['now-30s', 30_000],
    ['now-15m', 900_000],
    ['now-1h', 3_600_000],
    ['now-7d', 604_800_000],
    ['now-2w', 1_209_600_000],
  ])('from %s moves with the clock', (from, length) =>
    expect(resolveRange({ from, to: 'now' }, NOW)).toEqual({ from: NOW - length, to: NOW }),
  );

  it('of two moments stays where it is', () => {
    const range = { from: '2026-11-15T01:00:00Z', to: '2026-11-15T02:00:00.500Z' };
    expect(resolveRange(range, NOW)).toEqual({ from: at(range.from), to: at(range.to) });
    expect(absoluteRange(resolveRange(range, NOW))).toEqual(range);
  });

  it('with a bound that is no time has the present there', () =>
    expect(resolveRange({ from: 'now-1y', to: '' }, NOW)).toEqual({ from: NOW, to: NOW }));

  it('is resolved now unless another moment is meant', () => {
    const before = Date.now();
    expect(resolveRange({ from: 'now-1s', to: 'now' }).to).toBeGreaterThanOrEqual(before);
  });

  it.each([
    [undefined, undefined],
    ['now-1h', undefined],
    [undefined, 'now'],
    ['now-1y', 'now'],
    ['now-', 'now'],
    ['<script>', 'now'],
    ['now-1h', '지금'],
    ['now-999999d', 'now'],
  ])('of an address that has none, %j to %j, is the initial one', (from, to) =>
    expect(rangeOf(from, to, LAST_DAY)).toBe(LAST_DAY),
  );

  it('of an address is taken as it stands there', () =>
    expect(rangeOf('now-90s', '2026-11-15T12:00:00Z', LAST_DAY)).toEqual({
      from: 'now-90s',
      to: '2026-11-15T12:00:00Z',
    }));

  it.each([
    [{ from: 'now-24h', to: 'now' }, '24h'],
    [{ from: 'now-90s', to: 'now' }, '90s'],
    [{ from: 'now-1h', to: '2026-11-15T12:00:00Z' }, undefined],
    [{ from: '2026-11-15T12:00:00Z', to: 'now' }, undefined],
  ])('%j is named by its length: %s', (range, length) => expect(lengthOf(range)).toBe(length));
});

describe('Entered times', () => {
  it('mean the same in every zone once they are entered', () => {
    const range = rangeOfWallClocks('2026-11-15T10:00', '2026-11-15T11:00', 'Asia/Seoul');
    expect(range).toEqual({ from: '2026-11-15T01:00:00Z', to: '2026-11-15T02:00:00Z' });
    expect(wallClockOf(at(range?.from ?? ''), 'Asia/Seoul')).toBe('2026-11-15T10:00:00');
  });

  it('may lie on both sides of a clock change', () =>
    expect(rangeOfWallClocks('2026-10-25T00:00', '2026-10-26T00:00', 'Europe/Berlin')).toEqual({
      from: '2026-10-24T22:00:00Z',
      to: '2026-10-25T23:00:00Z',
    }));

  it.each([
    ['2026-11-15T10:00', '2026-11-15T10:00'],
    ['2026-11-15T11:00', '2026-11-15T10:00'],
    ['', '2026-11-15T10:00'],
    ['2026-11-15T10:00', ''],
  ])('are no range from %j to %j', (from, to) => expect(rangeOfWallClocks(from, to, 'UTC')).toBeUndefined());
});
