// What becomes of the items of a request. The rejected ones are counted as they become so, because a request may have a million
// items: to look at all of them takes longer than the main thread may be held.

import { type Decoded, FATES, type Fate } from './decoded.ts';

type Rejected = Exclude<Fate, 'kept'>;

export class Fates {
  readonly #numbers: Uint8Array;
  #rejected: number;
  #firstRejected: number;

  constructor({ fates, rejected }: Pick<Decoded, 'fates' | 'rejected'>) {
    this.#numbers = fates;
    this.#rejected = rejected.count;
    this.#firstRejected = rejected.first;
  }

  /** Of all items. */
  get count(): number {
    return this.#numbers.length;
  }

  get rejected(): number {
    return this.#rejected;
  }

  /** The first item that is rejected; undefined where none is. */
  get firstRejected(): number | undefined {
    return this.#rejected === 0 ? undefined : this.#firstRejected;
  }

  of(item: number): Fate {
    return FATES[this.#numbers[item] ?? 0] ?? 'kept';
  }

  isKept(item: number): boolean {
    return this.#numbers[item] === 0;
  }

  /** Of an item that is rejected already, the reason changes. */
  reject(item: number, reason: Rejected): void {
    if (this.#numbers[item] === 0) {
      this.#rejected += 1;
      this.#firstRejected = Math.min(this.#firstRejected, item);
    }
    this.#numbers[item] = FATES.indexOf(reason);
  }
}
