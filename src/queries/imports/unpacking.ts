// Bytes of packed files. What a file unpacks to is bounded by its size, so that a small file cannot fill the disk.

import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { Budget, type Reservation } from '#runtime/budget.ts';
import { ImportFailure, noFile } from './import-folders.ts';

/** Times that a packed file or an archive may grow. */
const MAX_GROWTH = 100;

export class UnpackedBytes {
  readonly #max: number;
  readonly #unpacked: Reservation;

  constructor(packedSize: number) {
    this.#max = packedSize * MAX_GROWTH;
    this.#unpacked = new Budget({ total: this.#max }).open();
  }

  take(bytes: number): void {
    const n = this.#unpacked.amount + bytes;
    if (this.#unpacked.take(bytes)) throw new ImportFailure(10803, { n, max: this.#max });
  }
}

interface Packed {
  readonly path: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly unpacked: UnpackedBytes;
}

const OPTIONS = { chunkSize: 2 ** 18 };

export const gunzipped = (packed: Packed): AsyncGenerator<Uint8Array> => unpacked(packed, createGunzip(OPTIONS));

export const inflated = (packed: Packed): AsyncGenerator<Uint8Array> => unpacked(packed, createInflateRaw(OPTIONS));

async function* unpacked(
  { path, bytes, unpacked: bound }: Packed,
  stream: Gunzip | InflateRaw,
): AsyncGenerator<Uint8Array> {
  const fed = pipeline(bytes, stream);
  // The reader below is told of the failure, too.
  fed.catch(() => undefined);
  try {
    for await (const piece of stream) {
      bound.take(piece.length);
      yield piece;
    }
    await fed;
  } catch (error) {
    throw isDamaged(error) ? noFile(path, { cause: error }) : error;
  } finally {
    stream.destroy();
  }
}

const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
