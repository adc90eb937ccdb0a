// The DuckDB instances that segments are merged on. One thread and little memory each: a merge takes no more of the machine than
// that from queries and appends, and its memory is given back at the end of a round.

import { join } from 'node:path';
import { type Instance, openInstance } from './instance.ts';

/** A merge holds a row group; overlapping segments are sorted, on disk where they do not fit. */
const MEMORY_BYTES = 384 * 2 ** 20;

export class MergeInstances {
  readonly #spillFolder: string;
  /** By whether nothing of it may be on a disk in clear. */
  readonly #opened = new Map<boolean, Promise<Instance>>();

  constructor(spillFolder: string) {
    this.#spillFolder = spillFolder;
  }

  /** Opened when it is first asked for. */
  async borrow(isSecret: boolean): Promise<Instance> {
    const known = this.#opened.get(isSecret);
    if (known) return await known;
    const spilling = isSecret ? {} : { spillFolder: join(this.#spillFolder, 'merges') };
    const opening = openInstance({ ...spilling, memoryBytes: MEMORY_BYTES, threads: 1 });
    this.#opened.set(isSecret, opening);
    return await opening;
  }

  /** The end of a round. */
  async end(): Promise<void> {
    for (const [isSecret, opened] of this.#opened) {
      this.#opened.delete(isSecret);
      await (await opened).end();
    }
  }

  /** Running merges fail. */
  async interrupt(): Promise<void> {
    for (const opened of this.#opened.values()) (await opened).interrupt();
  }
}
