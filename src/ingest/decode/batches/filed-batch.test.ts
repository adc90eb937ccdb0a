import { expect, it, vi } from 'vitest';
import { partOf } from '#ingest/decode/threads/decode-message.ts';
import type { BatchFile } from '#logs/log-store.ts';
import { FiledBatch } from './filed-batch.ts';

const LINES = Array.from({ length: 30_000 }, (_, n) => `{"n":${n},"t":"안녕 ${n % 7}"${n % 3 ? '' : ',"x":[1]'}}\n`);

function filedBatch(located: () => void): FiledBatch {
  const file = { rows: LINES.length } as BatchFile; // Nothing else of it is read here.
  const arrival = { at: 1_709_280_000_000, zone: 'UTC' };
  const limits = { lineBytes: 1000, lines: 100_000, reported: 0 };
  return new FiledBatch({ bytes: Buffer.from(LINES.join('')), arrival, limits, located, file });
}

it('Places that are found in slices are those that are found at once, and other work runs meanwhile', async () => {
  const located = vi.fn();
  const turn = vi.fn();
  const sliced = filedBatch(located);
  const atOnce = filedBatch(() => undefined);
  const timer = setInterval(turn, 0);
  await sliced.locate();
  clearInterval(timer);
  expect(turn.mock.calls.length).toBeGreaterThan(1);
  for (const key of [
    'begins',
    'ends',
    'times',
    'firstMembers',
    'memberBegins',
    'memberEnds',
    'memberFields',
  ] as const) {
    expect(sliced[key]).toEqual(atOnce[key]);
  }
  expect(located).toHaveBeenCalledTimes(1);
  const records = atOnce.records();
  expect(records.map(({ text }) => text)).toEqual(LINES.map((line) => line.trimEnd()));
  expect(sliced.records(10, 20)).toEqual(records.slice(10, 20));
  expect(partOf(sliced, 100, 200).records(5, 7)).toEqual(records.slice(105, 107));
  expect(partOf(sliced, 100, 200).records()).toEqual(records.slice(100, 200));
});
