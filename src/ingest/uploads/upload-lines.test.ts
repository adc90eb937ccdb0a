// Lines of an upload are the same records in whatever pieces they come.

import { afterAll, expect, test } from 'vitest';
import { JsonRecords } from '#ingest/decode/line.ts';
import { type DecodedLines, decodeLines } from '#ingest/decode/line-decode.ts';
import { LineDecoder } from '#ingest/decode/line-decoder.ts';
import { runToEnd } from '#kernel/sliced-work.ts';
import { decodeUploadedLines } from './upload-lines.ts';

const ARRIVAL = { at: 0, zone: 'UTC' };
const TABLE = { id: 1, name: 'web', layout: 'columnar', compression: 'snappy' } as const;
const LIMIT = 3000;

const lineDecoder = new LineDecoder({ fileColumns: async () => undefined });
afterAll(() => lineDecoder.close());

/** Some are too long, malformed or blank, and some are for the parser. */
const lines = Array.from({ length: 4000 }, (_, at) => {
  if (at % 97 === 3) return `{"long":"${'y'.repeat(2990 + (at % 40))}"}`;
  if (at % 401 === 7) return `{"long":"${'z'.repeat(300_000 + at)}"}`;
  if (at % 50 === 9) return '{"at":';
  if (at % 31 === 5) return at % 2 === 0 ? '' : '  \r';
  if (at % 23 === 1) return `{"at":1,"at":${at}}\r`;
  return `{"at":${at},"text":"${'한'.repeat(at % 100)}"}`;
});

test.each([
  ['with an end', `${lines.join('\n')}\n`],
  ['without an end', lines.join('\n')],
  ['with a mark', `\ufeff${lines.join('\n')}`],
  ['too long at the end', `${lines.slice(0, 50).join('\n')}\n{"long":"${'x'.repeat(400_000)}`],
  ['empty', ''],
])('%s', async (_, text) => {
  const bytes = Buffer.from(text);
  const expected = whole(bytes.subarray(text.startsWith('\ufeff') ? 3 : 0));
  for (const size of [1009, 256 * 1024]) {
    const found = await uploaded(bytes, size);
    expect(found).toEqual(expected);
  }
});

test('blocks give their memory back', async () => {
  const { pieces, given } = piecesOf(Buffer.from(`${lines.slice(0, 300).join('\n')}\n`.repeat(20)), 256 * 1024);
  let blocks = 0;
  for await (const block of decodeUploadedLines(given(), how())) {
    blocks += 1;
    block.release();
  }
  expect(blocks).toBeGreaterThan(2);
  expect(pieces.filter(({ length }) => length > 0).length).toBeLessThan(2);
});

test('an upload that is given up is decoded no further', async () => {
  const aborting = new AbortController();
  const { given } = piecesOf(Buffer.from(`${lines.join('\n')}\n`), 256 * 1024);
  aborting.abort(new Error('given up'));
  const reading = async () => {
    for await (const block of decodeUploadedLines(given(), how(aborting.signal))) block.release();
  };
  await expect(reading()).rejects.toThrow('given up');
});

test('names that fill a scanner make no other upload slow', async () => {
  // Few bytes: all of them are scanned in this thread.
  for (const from of [0, 2500]) {
    const members = Array.from({ length: 2500 }, (_, n) => `{"k${from + n}":1}\n`);
    await uploaded(Buffer.from(members.join('')), 64 * 1024);
  }
  const { given } = piecesOf(Buffer.from('{"other":1}\n'.repeat(2000)), 64 * 1024);
  const blocks = await Array.fromAsync(decodeUploadedLines(given(), how()));
  expect(blocks.flatMap(({ batches }) => batches).map((batch) => 'count' in batch && batch.count)).toEqual([2000]);
  for (const block of blocks) block.release();
});

const how = (signal = new AbortController().signal) => ({
  table: TABLE,
  lineDecoder,
  arrival: ARRIVAL,
  lineLimitBytes: LIMIT,
  reported: 1_000_000,
  signal,
});

function whole(bytes: Buffer) {
  const limits = { lineBytes: LIMIT, lines: 1_000_000, reported: 1_000_000 };
  const decoding = decodeLines(bytes, { records: new JsonRecords(ARRIVAL), limits, batchBytes: 64 * 1024 });
  const { parts, accepted, rejected, rejectedCount } = runToEnd(decoding);
  return { texts: textsOf(parts), accepted, rejected, rejectedCount };
}

async function uploaded(bytes: Buffer, pieceBytes: number) {
  const { given } = piecesOf(bytes, pieceBytes);
  const sum = { texts: [] as string[], accepted: 0, rejected: [] as unknown[], rejectedCount: 0 };
  for await (const block of decodeUploadedLines(given(), how())) {
    sum.texts.push(...textsOf(block.batches));
    sum.accepted += block.accepted;
    sum.rejected.push(...block.rejected);
    sum.rejectedCount += block.rejectedCount;
    block.release();
  }
  return sum;
}

const textsOf = (parts: DecodedLines['parts']) =>
  parts.flatMap((part) => ('count' in part ? part.records() : part)).map(({ text }) => text);

function piecesOf(bytes: Buffer, size: number) {
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += size)
    pieces.push(Buffer.from(new Uint8Array(bytes.subarray(from, from + size))));
  async function* given() {
    yield* pieces;
  }
  return { pieces, given };
}
