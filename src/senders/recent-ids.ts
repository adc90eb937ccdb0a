// Ids with the time at which each became known, oldest first. Made for a million ids: no step takes longer with more of them. One
// Map of all ids would hold the main thread while it grows, and finds its oldest entry behind all that were deleted.

const SHARDS = 256;
/** Letters at each end of an id that choose its shard. */
const HASHED_LETTERS = 8;
const BLOCK_IDS = 4096;

/** A Map in many small ones. */
export class ShardedMap<T> {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<string, T>());

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
    const ends = Math.min(id.length, HASHED_LETTERS);
    for (let at = 0; at < ends; at += 1) {
      hash = (hash * 31 + id.charCodeAt(at)) | 0;
      hash = (hash * 31 + id.charCodeAt(id.length - 1 - at)) | 0;
    }
    // Bits of the whole hash: the last letter alone would choose among few.
    return this.#shards[(hash ^ (hash >>> 15)) & (SHARDS - 1)] as Map<string, T>; // There is one for each hash.
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
