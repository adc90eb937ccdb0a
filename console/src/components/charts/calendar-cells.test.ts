// A calendar strip: days by hours, in the zone of the reader, walked by keys.

import { describe, expect, it } from 'vitest';
import { calendarDays, cellBeside } from './calendar-cells.ts';

const at = (text: string): number => Date.parse(text);
const zone = 'Europe/Berlin';
const stripOf = (moments: readonly string[], end: string, count: number) =>
  calendarDays(moments.map(at), (moment) => moment, { end: at(end), count, zone });

describe('A calendar strip', () => {
  const calendar = stripOf(
    ['2026-03-30T07:00:00Z', '2026-03-28T22:30:00Z', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'],
    '2026-03-30T12:00:00Z',
    3,
  );

  it('has the days of the reader, across a clock change, in the order of time', () => {
    expect(calendar.days).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(calendar.cells.map(({ key }) => key)).toEqual([
      '2026-03-28 23',
      '2026-03-29 01',
      '2026-03-29 03',
      '2026-03-30 09',
    ]);
  });

  it('puts an hour that occurs twice into one cell, and leaves out other days', () => {
    const { cells } = stripOf(
      ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-20T00:00:00Z'],
      '2026-10-25T20:00:00Z',
      2,
    );
    expect(cells.map(({ key, hour, items }) => [key, hour, items.length])).toEqual([['2026-10-25 02', 2, 2]]);
  });

  it('has days without anything, too', () => {
    expect(stripOf([], '2026-03-01T23:30:00Z', 2)).toEqual({ days: ['2026-03-01', '2026-03-02'], cells: [] });
  });

  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 3, undefined],
    ['ArrowLeft', 3, 2],
    ['ArrowLeft', 0, undefined],
    // To the nearest hour of the next day that has one.
    ['ArrowDown', 0, 2],
    ['ArrowDown', 3, undefined],
    ['ArrowUp', 3, 2],
    ['ArrowUp', 0, undefined],
    ['Home', 3, 0],
    ['End', 0, 3],
    ['x', 0, undefined],
  ])('is walked: %s leads from cell %d to cell %s', (key, from, to) => {
    const [start] = calendar.cells.slice(from);
    if (!start) throw new Error('the calendar has no such cell');
    expect(cellBeside(key, start, calendar)).toBe(to === undefined ? undefined : calendar.cells[to]);
  });
});
