// Lines decoded in a thread, in pieces or at once are the records, rejections and sums that each line alone makes.

import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#kernel/text/utf8.ts';
import { FIELD_FATES, type FileColumns, isReserved } from '#logs/log-store.ts';
import type { DecodedLines } from './line-decode.ts';
import { LineDecoder } from './line-decoder.ts';
import { recordOf } from './record.ts';
import { DecodeThreads } from './threads/decode-threads.ts';

const ARRIVAL = { at: 1_763_175_600_000, zone: 'Asia/Seoul' };
const LIMITS = { lineBytes: 70_000, lines: 100_000, reported: 3 };
const ORDER = { source: 'logger', arrival: ARRIVAL, limits: LIMITS };

const TABLE = { id: 1, name: 'lines', layout: 'columnar', compression: 'snappy' } as const;
/** A table without columns: whatever is plain becomes a file. */
const ALL_LEFT_OVER: FileColumns = {
  leaves: '{"fields":[],"columns":[],"isLearning":false,"settled":[]}',
  numbersOf: (fields) =>
    Uint16Array.from(fields, ({ name }) => (isReserved(name) ? FIELD_FATES.dropped : FIELD_FATES.leftOver)),
};

const line = fc.oneof(
  fc.constantFrom(
    ...['{"a":1,"b":"한글"}', '{"_time":"2026-11-15T03:00:00.250+09:00","a":2.5}', '{"_time":1763175600001,"b":"x"}'],
    ...['{"a":1,"_id":7,"n":null}', '{"nested":{"x":[1,{"y":"z"}]},"a":"text"}', '{}', '{"_time":"2026-11-15 03:00"}'],
    ...['{"a":"\\u0041\\ud83d\\ude00"}', '{"a":1,"a":2}', ' {"late":true} ', '{"a":12345678901234567890}'],
  ),
  fc.constantFrom(
    '',
    ' ',
    'bad',
    '[1]',
    '"x"',
    '{"_time":"soon"}',
    '{"a":"\\u0000"}',
    '{"a":1',
    '{"a":\xff}',
    '\xff',
    '{"a":"\xff\0"}',
    '{"_repaired":1}',
    `{"${'n'.repeat(2000)}":1}`,
  ),
  fc
    .record({ name: fc.string({ maxLength: 5 }), value: fc.jsonValue() })
    .map(({ name, value }) => Buffer.from(JSON.stringify({ [name]: value, level: 'INFO' })).toString('latin1')),
  fc.constantFrom(40_000, 69_980, 80_000).map((length) => `{"long":"${'x'.repeat(length)}"}`),
);
// Of latin1 text, so that some are no UTF-8.
const body = fc
  .tuple(fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 30 }), fc.boolean())
  .map(([lines, isEnded]) => {
    const text = lines.map(([content, end]) => (isEnded ? content + end : `\n${content}`)).join('');
    return Buffer.from(text, 'latin1');
  });

/** Each line by the parser. */
function oneByOne(bytes: Buffer) {
  const contents = bytes.toString('latin1').split('\n');
  if (contents.at(-1) === '') contents.pop();
  const outcomes = contents.map((found) => {
    const content = Buffer.from(found.endsWith('\r') ? found.slice(0, -1) : found, 'latin1');
    const text = decodeUtf8(content).trim();
    if (content.length > LIMITS.lineBytes) return { content, outcome: 'line-too-long' as const };
    return { content, outcome: text === '' ? undefined : recordOf(text, ARRIVAL) };
  });
  const rejected = outcomes.flatMap(({ outcome }, at) =>
    typeof outcome === 'string' ? { line: at + 1, reason: outcome } : [],
  );
  const bytesOf = (isMeant: (outcome: unknown) => boolean) =>
    outcomes.reduce((total, { content, outcome }) => total + (isMeant(outcome) ? content.length : 0), 0);
  return {
    records: outcomes.flatMap(({ outcome }) => (typeof outcome === 'object' ? outcome : [])),
    lines: contents.length,
    rejected: rejected.slice(0, LIMITS.reported),
    rejectedCount: rejected.length,
    rejectedBytes: bytesOf((outcome) => typeof outcome === 'string'),
    acceptedBytes: bytesOf((outcome) => typeof outcome === 'object'),
  };
}

function summary({ parts, lines, rejected, rejectedCount, rejectedBytes, acceptedBytes, accepted }: DecodedLines) {
  const records = parts.flatMap((part) => ('count' in part ? part.records() : part));
  expect(accepted).toBe(records.length);
  return { records: records.map(comparable), lines, rejected, rejectedCount, rejectedBytes, acceptedBytes };
}

/** Blanks around members are not kept by batches that leave some out. */
const comparable = ({ time, text, shape }: { time: number; text: string; shape: object }) => ({
  time,
  shape,
  value: JSON.parse(text),
});

describe('Pushed lines', () => {
  const decoder = new LineDecoder({ fileColumns: async () => ALL_LEFT_OVER });
  const threads = new DecodeThreads();
  afterAll(async () => {
    await decoder.close();
    await threads.close();
  });

  it('are decoded in a thread and at once like one by one', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const { records, ...sums } = oneByOne(bytes);
        const expected = { records: records.map(comparable), ...sums };
        const ended = bytes.at(-1) === 10 || bytes.length === 0 ? bytes : Buffer.concat([bytes, Buffer.from('\n')]);
        expect(summary(await decoder.decode(bytes, ORDER))).toEqual(expected);
        using held = await decoder.decode(bytes, { ...ORDER, table: TABLE });
        expect(summary(held)).toEqual(expected);
        expect(summary(await threads.decode({ ...ORDER, lines: new Uint8Array(ended) }))).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it('are decoded in pieces like one by one, several bodies at a time', async () => {
    const bodies = [1, 2, 3].map((n) => {
      const lines = ['{"n":1,"text":"한글"}', 'bad', `{"n":${n},"_id":1}`, '', `{"text":"${'x'.repeat(60_000)}"}`];
      return Buffer.from(Array.from({ length: 60 * n }, () => lines.join('\n')).join('\n'));
    });
    expect(bodies.at(-1)?.length).toBeGreaterThan(8 * 1024 * 1024);
    const decoded = await Promise.all(bodies.map((bytes) => decoder.decode(bytes, ORDER)));
    for (const [at, bytes] of bodies.entries()) {
      const { records, ...sums } = oneByOne(bytes);
      const found = decoded[at];
      expect(found && summary(found)).toEqual({ records: records.map(comparable), ...sums });
    }
  });

  it('become a file once their fields are known, and are records all the same', async () => {
    const bytes = Buffer.from('{"n":1,"_time":5,"text":"한글"}\n\n{"n":2.5,"_id":7}\n'.repeat(1000));
    const { records } = oneByOne(bytes);
    for (const isFile of [false, true, true]) {
      using held = await decoder.decode(bytes, { ...ORDER, source: 'filed', table: TABLE });
      const [batch] = held.parts;
      expect(batch && 'count' in batch && batch.file?.rows).toBe(isFile ? 2000 : undefined);
      expect(summary(held).records).toEqual(records.map(comparable));
    }
  });

  it('become a file again after more names than are remembered', async () => {
    const order = { ...ORDER, source: 'flooded', table: TABLE };
    const flood = Array.from({ length: 6000 }, (_, at) => `{"key-${at}":${at}}\n`).join('');
    const later = Buffer.from('{"a new name":1,"another":"text"}\n'.repeat(2000));
    expect(summary(await decoder.decode(Buffer.from(flood), order)).records).toHaveLength(6000);
    for (const isFile of [false, true]) {
      using held = await decoder.decode(later, order);
      const [batch] = held.parts;
      expect(batch && 'count' in batch && batch.file?.rows).toBe(isFile ? 2000 : undefined);
    }
  });

  it('are refused above their number, blank ones included', async () => {
    const few = { ...ORDER, limits: { ...LIMITS, lines: 5000 } };
    const refusal = { message: 'request body must be less than or equal to 5000 lines.' };
    for (const content of ['', '{}', '{"a":1,"b":"text"}']) {
      const lines = (count: number) => Buffer.from(`${content}\n`.repeat(count));
      await expect(decoder.decode(lines(5001), few)).rejects.toMatchObject(refusal);
      expect((await decoder.decode(lines(5000), few)).lines).toBe(5000);
    }
  });

  it('are refused when their thread ends, and the next ones are decoded by another', async () => {
    const own = new DecodeThreads();
    const order = () => ({ ...ORDER, lines: new Uint8Array(Buffer.from('{"a":1}\n')) });
    const waiting = [own.decode(order()), own.decode(order())].map((work) => expect(work).rejects.toThrow('ended'));
    await own.close();
    await Promise.all(waiting);
    expect((await own.decode(order())).accepted).toBe(1);
    await own.close();
  });
});
