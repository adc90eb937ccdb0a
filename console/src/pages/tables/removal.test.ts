// What a shorter retention or a removal would take away.

import { describe, expect, it } from 'vitest';
import { firstKeptDay, isDay, removalOf, serviceDay } from './removal.ts';
import { figuresOf, sumOf } from './use-days.ts';

const at = (iso: string) => Date.parse(iso);

describe('A retention', () => {
  // As the service: a day is removed that lies before today less the retention.
  it.each([
    [0, '2026-03-01', undefined],
    [1, '2026-03-01', '2026-02-28'],
    [30, '2026-01-15', '2025-12-16'],
    [36_500, '2026-03-01', '1926-03-26'],
  ])('of %i days keeps, on %s, the days from %s on', (days, today, first) =>
    expect(firstKeptDay(days, today)).toBe(first),
  );

  it('counts the days, rows and bytes that it removes', () => {
    const days = ['2026-02-01', '2026-02-03', '2026-03-01'].map((day) => ({ day, rows: 2, bytes: 10 }));
    expect(removalOf(days, (day) => day < '2026-03-01')).toEqual({ days: 2, rows: 4, bytes: 20 });
    expect(removalOf(days, () => false)).toEqual({ days: 0, rows: 0, bytes: 0 });
  });

  it.each([
    ['2026-11-15 00:00:00+0900', '2026-11-16'],
    ['2026-11-15 00:00:00-0330', '2026-11-15'],
    [undefined, '2026-11-15'],
    ['soon', '2026-11-15'],
  ])('is counted from today at the service, whose stamps end like %s', (stamp, day) =>
    expect(serviceDay(stamp, at('2026-11-15T18:00:00Z'))).toBe(day),
  );

  it('is counted from today unless another moment is meant', () => {
    const days = [0, 1].map((later) => new Date(Date.now() + later).toISOString().slice(0, 10));
    expect(days).toContain(serviceDay('2026-11-15 00:00:00+0000'));
  });
});

describe('A day', () => {
  it.each([
    ['2026-11-15', true],
    ['2028-02-29', true],
    ['2026-13-01', false],
    ['2026-1-1', false],
    ['', false],
    ['오늘', false],
    ['2026-11-15 ', false],
  ])('%j is one: %s', (text, isOne) => expect(isDay(text)).toBe(isOne));
});

it('The days of a table have index and data as one size', () => {
  const days = [
    { day: '2026-11-15', rows: 2, table_size: 10, index_size: 5 },
    { day: '2026-11-16', rows: 3, table_size: 1, index_size: 0 },
  ] as Parameters<typeof figuresOf>[0];
  expect(figuresOf(days).map(({ bytes }) => bytes)).toEqual([15, 1]);
  expect([sumOf(days, 'rows'), sumOf(days, 'index_size')]).toEqual([5, 5]);
});
