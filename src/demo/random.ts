// A reproducible random generator: its values depend only on the seed.

export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hashOf(seed);
  }

  /** At least 0 and below 1. The generator is mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number of at least 0 and below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** From a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T; // The index is within a list that is not empty.
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
