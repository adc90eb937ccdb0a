// What a thread keeps for a source of records: those of a source mostly have the names that earlier ones had.

import { BoundedMap } from '#runtime/bounded-map.ts';

/** Each may know up to 4,096 names of 256 bytes. */
const MAX_KEPT = 16;

export interface Kept<T> {
  readonly value: T;
  /** No two values of a thread have the same. */
  readonly serial: number;
}

export class KeptBySource<T> {
  readonly #bySource = new BoundedMap<string, Kept<T>>({ max: MAX_KEPT, evicts: 'least-used' });
  readonly #isSpent: (value: T) => boolean;
  #last = 0;

  /** `isSpent` tells of what is to be made anew. */
  constructor(isSpent: (value: T) => boolean) {
    this.#isSpent = isSpent;
  }

  for(source: string, make: () => T): Kept<T> {
    const known = this.#bySource.get(source);
    if (known && this.#isSpent(known.value)) this.#bySource.delete(source);
    return this.#bySource.getOrSet(source, () => this.#made(make));
  }

  #made(make: () => T): Kept<T> {
    this.#last += 1;
    return { value: make(), serial: this.#last };
  }
}
