// The ids of a table's records, taken from the metadata store in blocks. Each is given once; what is left of a block is lost with
// the process.

import { Serial } from '#runtime/serial.ts';

const BLOCK = 10_000;

export class IdBlocks {
  readonly #takeBlock: (count: number) => Promise<number>;
  #next = 0;
  #end = 0;
  /** In the order of the calls. */
  readonly #calls = new Serial();

  constructor(takeBlock: (count: number) => Promise<number>) {
    this.#takeBlock = takeBlock;
  }

  /** Gives the first of so many ids that follow each other. */
  take(count: number): Promise<number> {
    return this.#calls.run(() => this.#take(count));
  }

  /** What is left of the block is given no more. */
  discard(): Promise<void> {
    return this.#calls.run(() => {
      this.#next = this.#end;
    });
  }

  async #take(count: number): Promise<number> {
    if (this.#end - this.#next < count) {
      const size = Math.max(BLOCK, count);
      this.#next = await this.#takeBlock(size);
      this.#end = this.#next + size;
    }
    const first = this.#next;
    this.#next += count;
    return first;
  }
}
