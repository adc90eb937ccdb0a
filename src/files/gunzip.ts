// Decompresses a gzip file piece by piece: memory does not grow with the file.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

const PIECE_BYTES = 256 * 1024;

/** What the file says it is compressed with does not fit together. */
export class WrongGzip extends Error {}

export async function* decompress(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  // A failure reaches the reader of `gunzip` below.
  pipeline(Readable.from(bytes), gunzip).catch(() => undefined);
  try {
    yield* gunzip;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw code.startsWith('Z_') ? new WrongGzip('wrong gzip data', { cause }) : cause;
  }
}
