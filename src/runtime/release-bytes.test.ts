import { expect, test } from 'vitest';
import { releaseBytes } from './release-bytes.ts';

test('memory of its own is given back', () => {
  const bytes = Buffer.from(new ArrayBuffer(100_000));
  releaseBytes(bytes);
  expect(bytes.length).toBe(0);
  releaseBytes(bytes);
});

test('a part of memory is left alone', () => {
  const memory = Buffer.from(new ArrayBuffer(100_000)).fill(7);
  releaseBytes(memory.subarray(0, 99_999));
  releaseBytes(memory.subarray(1));
  expect(memory.length).toBe(100_000);
  expect(memory.at(-1)).toBe(7);
});

test('memory that threads share is left alone', () => {
  const memory = new SharedArrayBuffer(100_000);
  releaseBytes(new Uint8Array(memory));
  expect(memory.byteLength).toBe(100_000);
});
