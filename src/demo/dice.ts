// Chance that falls the same way each time: what is generated depends on the words it was seeded with, and on nothing else.

export class Dice {
  #state: number;

  constructor(seed: string) {
    this.#state = hashOf(seed);
  }

  /** From 0 to 1, which it never is. The generator is mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, not including, `most`. */
  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  /** From a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T; // Within the list, as long as there is one.
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
