// Reads a whole body as it arrives: decompresses it if needed, and fails as soon as it is too long, takes too much of
// the memory for bodies, or is too late. All bodies that are not streamed are read here.

import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { type ApiError, bodyTooLarge, bodyTooLate, malformedBody } from '#contract/errors.ts';
import type { BodyDeadlines } from './body-deadlines.ts';
import { ByteBlocks } from './byte-blocks.ts';
import type { BodyPermit } from './byte-budget.ts';

const DECOMPRESSED_CHUNK_BYTES = 256 * 1024;

interface Collecting {
  readonly limitBytes: number;
  readonly isGzipped: boolean;
  readonly permit: BodyPermit;
  readonly deadlines: BodyDeadlines;
  /** True for a body without a key. */
  readonly isOpen: boolean;
  readonly announcedBytes: number;
}

/** Rejects with the refusal of the body. The rest of the body is then discarded. */
export async function collectBody(body: Readable, how: Collecting): Promise<Buffer> {
  const { isOpen, announcedBytes, deadlines } = how;
  const collector = new BodyCollector(body, how);
  using _ = deadlines.watch({
    isOpen,
    announcedBytes,
    arrivedBytes: () => collector.arrivedBytes,
    onLate: () => collector.fail(bodyTooLate()),
  });
  return await collector.collect();
}

class BodyCollector {
  readonly #body: Readable;
  readonly #how: Collecting;
  readonly #gunzip: Gunzip | undefined;
  readonly #outcome = Promise.withResolvers<Buffer>();
  readonly #kept = new ByteBlocks();
  arrivedBytes = 0;

  constructor(body: Readable, how: Collecting) {
    this.#body = body;
    this.#how = how;
    this.#gunzip = how.isGzipped ? createGunzip({ chunkSize: DECOMPRESSED_CHUNK_BYTES }) : undefined;
  }

  async collect(): Promise<Buffer> {
    const arrived = (chunk: Buffer) => this.#arrived(chunk);
    const ended = () => (this.#gunzip ? this.#gunzip.end() : this.#finish());
    const broken = () => {
      if (!this.#body.readableEnded) this.fail(malformedBody());
    };
    if (this.#body.destroyed) broken();
    this.#body.on('data', arrived).on('end', ended).on('error', broken).on('close', broken);
    this.#gunzip
      ?.on('data', (chunk: Buffer) => this.#keep(chunk))
      .on('end', () => this.#finish())
      .on('error', (cause) => this.fail(Object.assign(malformedBody(), { cause })))
      .on('drain', () => this.#body.resume());
    try {
      return await this.#outcome.promise;
    } finally {
      this.#body.off('data', arrived).off('end', ended).off('close', broken);
      this.#gunzip?.destroy();
      // The connection carries the answer, and the next request.
      this.#body.resume();
    }
  }

  fail(refusal: ApiError): void {
    this.#outcome.reject(refusal);
  }

  #arrived(chunk: Buffer): void {
    this.arrivedBytes += chunk.length;
    if (!this.#gunzip) this.#keep(chunk);
    // Both sides are limited: a body of a million empty gzip members decompresses to nothing.
    else if (this.#isWithin(this.arrivedBytes, chunk.length) && !this.#gunzip.write(chunk)) this.#body.pause();
  }

  #keep(chunk: Buffer): void {
    if (this.#isWithin(this.#kept.length + chunk.length, chunk.length)) this.#kept.add(chunk);
  }

  #isWithin(totalBytes: number, moreBytes: number): boolean {
    const { permit, limitBytes } = this.#how;
    try {
      permit.add(moreBytes);
      if (totalBytes <= limitBytes) return true;
      throw bodyTooLarge(limitBytes);
    } catch (refusal) {
      this.#outcome.reject(refusal);
      return false;
    }
  }

  #finish(): void {
    this.#outcome.resolve(this.#kept.whole());
  }
}
