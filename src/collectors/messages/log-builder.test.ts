// The slices in which logs are built.

import { describe, expect, it } from 'vitest';
import { recordOf } from '#ingest/decode/record.ts';
import type { LogReader, Readers } from '#ingest/reading/reader.ts';
import type { Target } from '#ingest/target.ts';
import { occupyThread } from '#test/support/processor-time.ts';
import { LogBuilder } from './log-builder.ts';

const AT = Date.parse('2026-11-15T03:00:00Z');
const LINES = 20;

const recordWith = (line: string) => {
  const record = recordOf(JSON.stringify({ line }), { at: AT, zone: 'UTC' });
  if (typeof record === 'string') throw new Error(record);
  return record;
};

/** Each line takes longer than the event loop should wait. */
const slowReader: LogReader = {
  keepsRecords: true,
  of(line) {
    occupyThread(6);
    return recordWith(line);
  },
  normalized: (record) => record,
  withLine: (record) => record,
};

const readers = { readerFor: async () => slowReader } as unknown as Readers; // Nothing else of it is called.

describe('Logs are built', () => {
  it('so that the event loop runs between two lines that take long', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    const builder = new LogBuilder(readers, {} as Target, 'UTC');
    const lines = Array.from({ length: LINES }, (_, at) => ({ text: `line ${at}`, at: AT, isCut: false }));
    const { logs } = await builder.build(lines);
    clearImmediate(turning);
    expect(logs.map(({ text }) => JSON.parse(text).line)).toEqual(lines.map(({ text }) => text));
    expect(turns).toBeGreaterThanOrEqual(LINES);
  });

  it('without those of blank lines', async () => {
    const builder = new LogBuilder(readers, {} as Target, 'UTC');
    const { logs, malformed } = await builder.build(['', 'a', ' \t'].map((text) => ({ text, at: AT, isCut: false })));
    expect({ logs: logs.length, malformed }).toEqual({ logs: 1, malformed: 0 });
  });
});
