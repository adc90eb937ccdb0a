// Ids with the time at which each became known, oldest first. Made for a million ids: no step takes longer with more of them. One
// Map of all ids would hold the main thread while it grows, and finds its oldest entry behind all that were deleted.

import { randomInt } from 'node:crypto';

const SHARD_BITS = 8;
const SHARDS = 2 ** SHARD_BITS;
const BLOCK_IDS = 4096;

/** A Map in many small ones. */
export class ShardedMap<T> {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<string, T>());
  /** Odd and not known to senders, who could otherwise choose ids of one shard. */
  readonly #multiplier = randomInt(2 ** 31) * 2 + 1;

  get(id: string): T | undefined {
    return this.#shardOf(id).get(id);
  }

  set(id: string, value: T): void {
    this.#shardOf(id).set(id, value);
  }

  delete(id: string): boolean {
    return this.#shardOf(id).delete(id);
  }

  #shardOf(id: string): Map<string, T> {
    let hash = id.length;
    for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), this.#multiplier);
    // The upper bits depend on all letters.
    return this.#shards[hash >>> (32 - SHARD_BITS)] as Map<string, T>; // There is one for each hash.
  }
}

interface IdBlock {
  readonly ids: string[];
  readonly times: number[];
}

export class RecentIds {
  readonly #times = new ShardedMap<number>();
  /** In the order in which they became known; those that became known again stand there twice. */
  #blocks: IdBlock[] = [];
  /** In the first block. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  timeOf(id: string): number | undefined {
    return this.#times.get(id);
  }

  /** Tells whether the id was not there. Times never fall. */
  add(id: string, time: number): boolean {
    const isNew = this.#times.get(id) === undefined;
    this.#times.set(id, time);
    if (isNew) this.#size += 1;
    let last = this.#blocks.at(-1);
    if (!last || last.ids.length === BLOCK_IDS) {
      last = { ids: [], times: [] };
      this.#blocks.push(last);
    }
    last.ids.push(id);
    last.times.push(time);
    return isNew;
  }

  /** The time of the oldest id; undefined where there is none. */
  get oldestTime(): number | undefined {
    this.#skipRepeated();
    return this.#blocks[0]?.times[this.#first];
  }

  /** Gives the oldest id, which is not known any more. */
  removeOldest(): string | undefined {
    this.#skipRepeated();
    const id = this.#blocks[0]?.ids[this.#first];
    if (id === undefined) return undefined;
    this.#times.delete(id);
    this.#size -= 1;
    this.#next();
    return id;
  }

  /** Behind entries of ids that became known again later. */
  #skipRepeated(): void {
    for (let block = this.#blocks[0]; block; block = this.#blocks[0]) {
      const id = block.ids[this.#first];
      if (id === undefined || this.#times.get(id) === block.times[this.#first]) return;
      this.#next();
    }
  }

  #next(): void {
    this.#first += 1;
    if (this.#first < (this.#blocks[0]?.ids.length ?? 0)) return;
    this.#blocks = this.#blocks.slice(1);
    this.#first = 0;
  }
}
