import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#kernel/time/clock.ts';
import { BodyDeadlines } from './body-deadlines.ts';
import { ByteBudget } from './byte-budget.ts';
import { collectBody } from './collected-body.ts';

const CHUNK_BYTES = 64 * 1024;

async function collect(isData: boolean): Promise<{ chunks: Buffer[]; whole: Buffer }> {
  const deadlines = new BodyDeadlines(systemClock, { seconds: 60, rateBytes: 0 });
  using permit = new ByteBudget(100 * CHUNK_BYTES).open({ account: 'one' });
  onTestFinished(() => deadlines[Symbol.dispose]());
  const chunks = [1, 2, 3].map((letter) => Buffer.from(new ArrayBuffer(CHUNK_BYTES)).fill(letter));
  const how = { limitBytes: 10 * CHUNK_BYTES, permit, deadlines, isOpen: false, isData, announcedBytes: 0 };
  return { chunks, whole: await collectBody(Readable.from(chunks, { objectMode: false }), how) };
}

const expected = Buffer.concat([1, 2, 3].map((letter) => Buffer.alloc(CHUNK_BYTES, letter)));

test('the chunks of data are gone when they are gathered', async () => {
  const { chunks, whole } = await collect(true);
  expect(whole.equals(expected)).toBe(true);
  expect(chunks.map(({ length }) => length)).toEqual([0, 0, 0]);
});

test('those of parameters stay, for the entry of a refusal', async () => {
  const { chunks, whole } = await collect(false);
  expect(whole.equals(expected)).toBe(true);
  expect(chunks.map(({ length }) => length)).toEqual([CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES]);
});
