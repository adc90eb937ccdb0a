import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dayOf, SOURCES, type Source } from './sources.ts';

const DAY_MS = 86_400_000;
const momentOf = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const END = momentOf('2026-11-15T09:30:00Z');
const OTHER_END = momentOf('2027-02-28T23:59:00Z');

const linesOf = (source: Source, end: number): string[] => [...dayOf(source, end)].flat();
/** As JSON has it, and as syslog has it. */
const TIME = /^\{"_time":(\d+),|^<86>1 (\S+)/;
const timeless = (line: string) => line.replace(TIME, '');

/** The same for the same lines, in whatever order they come. */
const sumOf = (lines: readonly string[]) => ({
  lines: lines.length,
  sum: lines.reduce((sum, line) => sum + crc32(timeless(line)), 0),
});

function timeOf(line: string): number {
  const [, milliseconds, stamp = ''] = TIME.exec(line) ?? [];
  return milliseconds === undefined ? momentOf(stamp) : Number(milliseconds);
}

describe('A day of logs of the demo', () => {
  for (const source of SOURCES) {
    it(`holds the same ${source.name} records whenever it ends`, () => {
      expect(sumOf(linesOf(source, END))).toEqual(sumOf(linesOf(source, OTHER_END)));
    });

    it(`is a whole day of ${source.name} records, up to its end`, () => {
      const times = linesOf(source, END).map(timeOf);
      expect(times.filter((time) => time < END - DAY_MS || time >= END)).toEqual([]);
      const hours = new Set(times.map((time) => Math.floor((END - time - 1) / (DAY_MS / 24))));
      expect(hours.size).toBe(24);
    });
  }

  it('has some 170,000 records', () => {
    const total = SOURCES.reduce((sum, source) => sum + linesOf(source, END).length, 0);
    expect(Math.round(total / 10_000)).toBe(17);
  });
});
