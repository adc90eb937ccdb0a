// Bytes gathered in blocks of our own. An arriving chunk may be one byte of a large buffer, which it would keep alive.

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

  whole(): Buffer {
    const last = this.#last.subarray(0, this.#used);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.#total);
  }

  /** Doubles the capacity: allocated memory stays below twice the counted bytes. */
  #grow(wanted: number): void {
    if (this.#used > 0) this.#full.push(this.#last);
    this.#last = Buffer.allocUnsafe(Math.min(MAX_BLOCK_BYTES, Math.max(FIRST_BYTES, this.#total, wanted)));
    this.#used = 0;
  }
}
