import { expect, test } from 'vitest';
import { decodeUpload } from './upload-decode.ts';

const PIECE_BYTES = 256 * 1024;

test('a row of CSV over two blocks is whole when the first gives its memory back', async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `${at},"${'x'.repeat(at % 1000)}"`);
  const bytes = Buffer.from(`at,text\n${rows.join('\n')}\n`);
  async function* given() {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES)
      yield Buffer.from(new Uint8Array(bytes.subarray(from, from + PIECE_BYTES)));
  }
  const how = { format: 'csv', lineLimitBytes: 1_000_000, arrival: { at: 0, zone: 'UTC' } } as const;
  const found: unknown[] = [];
  for await (const block of decodeUpload(given(), how)) {
    for (const batch of block.batches)
      for (const { text } of 'count' in batch ? batch.records() : batch) found.push(JSON.parse(text).at);
    block.release();
  }
  expect(found.map(Number)).toEqual(rows.map((_, at) => at));
});
