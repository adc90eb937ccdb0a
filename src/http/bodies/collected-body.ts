// Reads a whole body as it arrives, and fails as soon as it is too long, takes too much of the memory for bodies, or is too
// late. All bodies that are not streamed are read here.

import type { Readable } from 'node:stream';
import { type ApiError, bodyTooLarge, bodyTooLate, malformedBody } from '#contract/errors.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';
import type { BodyDeadlines } from './body-deadlines.ts';
import { ByteBlocks } from './byte-blocks.ts';
import type { BodyPermit } from './byte-budget.ts';

interface Collecting {
  readonly limitBytes: number;
  readonly permit: BodyPermit;
  readonly deadlines: BodyDeadlines;
  /** True for a body without a key. */
  readonly isOpen: boolean;
  /** True where nobody else reads the chunks that arrive: those of parameters are read again for the entry of a refusal. */
  readonly isData: boolean;
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
  readonly #outcome = Promise.withResolvers<Buffer>();
  readonly #kept = new ByteBlocks();

  constructor(body: Readable, how: Collecting) {
    this.#body = body;
    this.#how = how;
  }

  get arrivedBytes(): number {
    return this.#kept.length;
  }

  async collect(): Promise<Buffer> {
    const arrived = (chunk: Buffer) => this.#keep(chunk);
    const ended = () => this.#outcome.resolve(this.#kept.whole());
    const broken = () => {
      if (!this.#body.readableEnded) this.fail(malformedBody());
    };
    if (this.#body.destroyed) broken();
    this.#body.on('data', arrived).on('end', ended).on('error', broken).on('close', broken);
    try {
      return await this.#outcome.promise;
    } finally {
      this.#body.off('data', arrived).off('end', ended).off('close', broken);
      // The connection carries the answer, and the next request.
      this.#body.resume();
    }
  }

  fail(refusal: ApiError): void {
    this.#outcome.reject(refusal);
  }

  #keep(chunk: Buffer): void {
    const { permit, limitBytes, isData } = this.#how;
    try {
      permit.add(chunk.length);
      if (this.#kept.length + chunk.length > limitBytes) throw bodyTooLarge(limitBytes);
      this.#kept.add(chunk);
      if (isData) releaseBytes(chunk);
    } catch (refusal) {
      this.#outcome.reject(refusal);
    }
  }
}
