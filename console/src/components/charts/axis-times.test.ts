// Round times along an axis.

import { describe, expect, it } from 'vitest';
import { axisText, axisTimes } from './axis-times.ts';

const at = (iso: string) => Date.parse(iso);
const texts = (from: string, to: string, zone: string) =>
  axisTimes({ from: at(from), to: at(to) }, zone).map(({ text }) => text);

describe('The times of an axis', () => {
  it.each([
    ['2026-11-15T03:20:00Z', '2026-11-16T03:20:00Z', 'Asia/Seoul', ['18:00', '11-16', '06:00', '12:00']],
    [
      '2026-11-15T00:10:00Z',
      '2026-11-15T00:10:30Z',
      'UTC',
      ['00:10:00', '00:10:05', '00:10:10', '00:10:15', '00:10:20', '00:10:25'],
    ],
    ['2026-11-15T00:00:00Z', '2026-11-15T01:00:00Z', 'Asia/Kathmandu', ['05:45', '06:00', '06:15', '06:30']],
    [
      '2026-11-01T00:00:00Z',
      '2026-11-08T00:00:00Z',
      'UTC',
      ['11-01', '11-02', '11-03', '11-04', '11-05', '11-06', '11-07'],
    ],
  ])('from %s to %s in %s are round to the reader', (from, to, zone, expected) => {
    expect(texts(from, to, zone)).toEqual(expected);
  });

  it('are at most eight, however long the axis is, and stand at their places', () => {
    for (const days of [0.001, 1, 30, 1000, 100_000]) {
      const times = axisTimes({ from: 0, to: days * 86_400_000 }, 'UTC');
      expect(times.length).toBeLessThanOrEqual(8);
      expect(times.every(({ share }) => share >= 0 && share < 1)).toBe(true);
    }
    expect(axisTimes({ from: 0, to: 1000 }, 'UTC')).toEqual([{ at: 0, text: '01-01', share: 0 }]);
  });

  it.each([
    [5, 5],
    [5, 4],
  ])('are none from %d to %d', (from, to) => expect(axisTimes({ from, to }, 'UTC')).toEqual([]));

  it.each([
    ['2026-11-15T10:20:30Z', 1000, '10:20:30'],
    ['2026-11-15T10:20:30Z', 60_000, '10:20'],
    ['2026-11-15T10:20:30Z', 86_400_000, '11-15'],
    // Midnight is the beginning of a day.
    ['2026-11-15T00:00:00Z', 60_000, '11-15'],
  ])('%s in steps of %d ms is written %s', (iso, step, text) => expect(axisText(at(iso), step, 'UTC')).toBe(text));
});
