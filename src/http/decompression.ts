// Decompresses bodies that have arrived whole, a few at a time: neither a slow sender nor a crowd of them holds the memory
// of a decompressor. The work is done by threads of the process, chunk by chunk.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { ApiError, bodyTooLarge, malformedBody } from '#contract/errors.ts';
import { Semaphore } from '#kernel/semaphore.ts';
import { ByteBlocks } from './byte-blocks.ts';
import type { BodyPermit } from './byte-budget.ts';

const ENCODINGS = ['gzip', 'deflate', 'zstd'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const encodingNamed = (name: string): Encoding | undefined => ENCODINGS.find((encoding) => encoding === name);

/** Files are written by the same four threads of the process. */
const MAX_AT_ONCE = 2;
const INPUT_CHUNK_BYTES = 64 * 1024;
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
  readonly #slots = new Semaphore(MAX_AT_ONCE);

  /** Rejects with the refusal of a body that is malformed, or becomes too long. */
  async decompress(body: Buffer, { encoding, limitBytes, permit }: Decompressing): Promise<Buffer> {
    using _ = await this.#slots.acquire();
    const kept = new ByteBlocks();
    const decompressor = decompressorOf(encoding, body[0] ?? 0);
    try {
      await pipeline(Readable.from(chunksOf(body)), decompressor, async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          permit.add(chunk.length);
          if (kept.length + chunk.length > limitBytes) throw bodyTooLarge(limitBytes);
          kept.add(chunk);
        }
      });
    } catch (cause) {
      throw cause instanceof ApiError ? cause : Object.assign(malformedBody(), { cause });
    }
    // Only gzip complains about bytes behind the end by itself, where they are not padding.
    if (encoding !== 'gzip' && decompressor.bytesWritten !== body.length) throw malformedBody();
    return kept.whole();
  }
}

function decompressorOf(encoding: Encoding, firstByte: number) {
  const options = { chunkSize: OUTPUT_CHUNK_BYTES };
  if (encoding === 'gzip') return createGunzip(options);
  if (encoding === 'zstd') {
    return createZstdDecompress({ ...options, params: { [constants.ZSTD_d_windowLogMax]: MAX_ZSTD_WINDOW_LOG } });
  }
  return (firstByte & 0x0f) === ZLIB_METHOD ? createInflate(options) : createInflateRaw(options);
}

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += INPUT_CHUNK_BYTES) {
    yield body.subarray(from, from + INPUT_CHUNK_BYTES);
  }
}
