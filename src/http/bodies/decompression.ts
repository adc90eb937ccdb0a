// Decompresses bodies that have arrived whole, a few at a time: neither a slow sender nor a crowd of them holds the memory
// of a decompressor. The work is done by threads of the process, chunk by chunk.

import type { Transform } from 'node:stream';
import { constants, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { ApiError, bodyTooLarge, malformedBody } from '#contract/errors.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';
import { Slots } from '#runtime/slots.ts';
import { ByteBlocks } from './byte-blocks.ts';
import type { BodyPermit } from './byte-budget.ts';

const ENCODINGS = ['gzip', 'deflate', 'zstd'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const encodingNamed = (name: string): Encoding | undefined => ENCODINGS.find((encoding) => encoding === name);

/** Files are written by the same four threads of the process. */
const MAX_AT_ONCE = 2;
/** A thread works on no more than this at a time, whatever comes of it. */
const INPUT_CHUNK_BYTES = 1024 * 1024;
const OUTPUT_CHUNK_BYTES = 256 * 1024;
/** 8 MiB, the most that an encoder for HTTP may use (RFC 9659); without a limit a frame of ten bytes asks for gigabytes. */
const MAX_ZSTD_WINDOW_LOG = 23;
/** In the low half of the first byte of the zlib format. Raw deflate, which some senders send, does not begin so. */
const ZLIB_METHOD = 8;

interface Decompressing {
  readonly encoding: Encoding;
  readonly limitBytes: number;
  readonly permit: BodyPermit;
}

export class Decompression {
  readonly #slots = new Slots({ total: MAX_AT_ONCE });

  /** Gives `body` back where all of it was read. Rejects with the refusal of a body that is malformed, or becomes too long. */
  async decompress(body: Buffer, { encoding, limitBytes, permit }: Decompressing): Promise<Buffer> {
    using _ = await this.#slots.acquire();
    const kept = new ByteBlocks();
    const decompressor = decompressorOf(encoding, body[0] ?? 0);
    const keep = (chunk: Buffer) => {
      permit.add(chunk.length);
      if (kept.length + chunk.length > limitBytes) throw bodyTooLarge(limitBytes);
      kept.add(chunk);
    };
    try {
      await run(decompressor, body, keep);
    } catch (cause) {
      throw cause instanceof ApiError ? cause : Object.assign(malformedBody(), { cause });
    } finally {
      decompressor.destroy();
    }
    // Only gzip complains about bytes behind the end by itself, where they are not padding.
    if (encoding !== 'gzip' && decompressor.bytesWritten !== body.length) throw malformedBody();
    // Bytes behind the end may still be on their way to a thread.
    if (decompressor.bytesWritten === body.length) releaseBytes(body);
    return kept.whole();
  }
}

/** Listens in place of iterating, which takes half as long again. */
async function run(decompressor: Transform, body: Buffer, keep: (chunk: Buffer) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  decompressor
    .on('data', (chunk: Buffer) => {
      try {
        keep(chunk);
      } catch (refusal) {
        reject(refusal);
      }
    })
    .on('end', resolve)
    .on('error', reject)
    .on('close', () => reject(malformedBody()));
  let from = 0;
  const feed = (error?: Error | null) => {
    if (error) return;
    const chunk = body.subarray(from, from + INPUT_CHUNK_BYTES);
    from += chunk.length;
    if (from < body.length) decompressor.write(chunk, feed);
    else decompressor.end(chunk);
  };
  feed();
  await promise;
}

function decompressorOf(encoding: Encoding, firstByte: number) {
  const options = { chunkSize: OUTPUT_CHUNK_BYTES };
  if (encoding === 'gzip') return createGunzip(options);
  if (encoding === 'zstd') {
    return createZstdDecompress({ ...options, params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG } });
  }
  return (firstByte & 0x0f) === ZLIB_METHOD ? createInflate(options) : createInflateRaw(options);
}
