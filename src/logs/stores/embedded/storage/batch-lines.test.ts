// Lines of batches are those of the same records made one by one, and teach the same columns.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordOf } from '#ingest/decode/record.ts';
import { scanObject } from '#kernel/json/json-members.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { Days } from '#kernel/time/days.ts';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import { LAYOUTS, type Layout } from '#logs/log-store.ts';
import { ColumnRegistry, NOTHING_LEARNT } from '#logs/stores/shared/columns.ts';
import { Batches } from './batch.ts';
import { LineBuffer } from './line-buffer.ts';
import { dividedLine } from './lines.ts';

const ARRIVAL = { at: 1_763_175_600_000, zone: 'UTC' };
const FIRST_ID = 9_999_999_998;

const name = fc.constantFrom('a', 'A', 'b', 'n', '_id', '_table', '_node', '_rest', '한글', '', 'x');
const value = fc.constantFrom(
  ...['1', '-22', '1.0', '0.25', '1e3', '9007199254740993', '123456789012345678901234567890'],
  ...['"x"', '"한글 \\"q\\" \\n"', 'true', 'null', '{"x": [1, 2], "y":null}', '[ ]'],
);
const time = fc.constantFrom(undefined, '"_time":-5', '"_time":1763175600001', '"_time":"2026-11-15T03:00:00Z"');
const line = fc
  .tuple(fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 6 }), time, fc.nat(6))
  .map(([members, own, at]) => {
    const written = members.map(([key, source]) => `"${key}":${source}`);
    return `{${(own === undefined ? written : written.toSpliced(at, 0, own)).join(', ')}}`;
  });

const newBatches = (layout: Layout) => new Batches(layout, new ColumnRegistry(NOTHING_LEARNT), new Days('UTC'));

it.each(LAYOUTS)('A run of ragged records makes the lines that they make alone: %s', (layout) => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), (lines) => {
      const together = newBatches(layout);
      const alone = newBatches(layout);
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const given = { bytes, begin: 0, end: bytes.length, arrival: ARRIVAL.at, maxLineBytes: 10_000 };
      const batch = new LineScanner(ARRIVAL.zone).scan(given);
      expect(batch?.count).toBe(lines.length);
      const target = new LineBuffer();
      if (batch) lines.forEach((_, at) => void together.writeBatchLine(batch, at, FIRST_ID + at, target));
      const expected = lines.map((text, at) => {
        const record = recordOf(text, ARRIVAL);
        if (typeof record === 'string') throw new Error(record);
        const id = FIRST_ID + at;
        return alone.line(record, id) ?? runToEnd(dividedLine(record, id, alone.registry));
      });
      expect(membersOf(target.bytes.toString())).toEqual(membersOf(expected.join('')));
      expect(together.registry.learnt).toEqual(alone.registry.learnt);
    }),
    { numRuns: 500 },
  );
});

it('A buffer holds lines of any length and numbers of any size', () => {
  const buffer = new LineBuffer();
  const numbers = [0, -7, 10, 99, 100, 4_294_967_296, Number.MAX_SAFE_INTEGER, -62_135_510_400_000];
  const texts = ['한글', 'x'.repeat(100_000), '😀'.repeat(5000)];
  for (let round = 0; round < 2; round += 1) {
    for (const number of numbers) buffer.writeWhole(number);
    for (const text of texts) buffer.writeText(text);
    buffer.copy(Buffer.alloc(3_000_000, 'y'), 1_000_000, 3_000_000);
    expect(buffer.bytes.toString() === [...numbers, ...texts, 'y'.repeat(2_000_000)].join('')).toBe(true);
    buffer.clear();
    expect(buffer.length).toBe(0);
  }
});

/** The sources of values by name, with those of a nested map that the service makes. */
function membersOf(lines: string): unknown[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((text) => {
      JSON.parse(text);
      const { members } = scanObject(text);
      const sources = members.map(([key, source]) => {
        const isOurs = key === '"_rest"' || key === '"_doc"';
        return [key, isOurs ? Object.fromEntries(scanObject(source).members) : source];
      });
      return { ...Object.fromEntries(sources), count: sources.length };
    });
}
