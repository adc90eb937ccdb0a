// Bodies that are decompressed: their memory is given back once nothing can read it any more.

import { randomBytes } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Decompression } from './decompression.ts';

const permit = { add() {} } as never;
const decompress = (body: Buffer, encoding: 'gzip' | 'deflate') =>
  new Decompression().decompress(body, { encoding, limitBytes: 2 ** 26, permit });
/** Of its own memory, as a received body has it. */
const owned = (...parts: Buffer[]) => Buffer.from(new Uint8Array(Buffer.concat(parts)));

it('gives a body back that was read to its end', async () => {
  const text = randomBytes(2 ** 20).toString('base64');
  for (const encoding of ['gzip', 'deflate'] as const) {
    const body = owned(encoding === 'gzip' ? gzipSync(text) : deflateSync(text));
    expect((await decompress(body, encoding)).toString()).toBe(text);
    expect(body).toHaveLength(0);
  }
});

it('keeps a body whose padding a thread may still read', async () => {
  const body = owned(gzipSync('{}'), Buffer.alloc(3 * 2 ** 20));
  expect((await decompress(body, 'gzip')).toString()).toBe('{}');
  expect(body).toHaveLength(gzipSync('{}').length + 3 * 2 ** 20);
});
