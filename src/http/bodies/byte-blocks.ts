// Bytes gathered in blocks of our own. An arriving chunk may be one byte of a large buffer, which it would keep alive.

import { releaseBytes } from '#runtime/release-bytes.ts';

const FIRST_BYTES = 4 * 1024;
const MAX_BLOCK_BYTES = 1024 * 1024;

export class ByteBlocks {
  readonly #full: Buffer[] = [];
  #last: Buffer = Buffer.alloc(0);
  #used = 0;
  #total = 0;

  get length(): number {
    return this.#total;
  }

  add(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      if (this.#used === this.#last.length) this.#grow(chunk.length - from);
      const copied = chunk.copy(this.#last, this.#used, from);
      this.#used += copied;
      this.#total += copied;
      from += copied;
    }
  }

  /** All bytes; the blocks are gone afterwards. */
  whole(): Buffer {
    const last = this.#last.subarray(0, this.#used);
    if (this.#full.length === 0) return last;
    const whole = Buffer.concat([...this.#full, last], this.#total);
    for (const block of [...this.#full, this.#last]) releaseBytes(block);
    return whole;
  }

  /** Doubles the capacity: allocated memory stays below twice the counted bytes. */
  #grow(wanted: number): void {
    if (this.#used > 0) this.#full.push(this.#last);
    this.#last = Buffer.allocUnsafe(Math.min(MAX_BLOCK_BYTES, Math.max(FIRST_BYTES, this.#total, wanted)));
    this.#used = 0;
  }
}
