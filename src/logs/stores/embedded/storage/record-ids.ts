// The ids of a table's records, each given once.

export class RecordIds {
  #last: number;

  constructor(last: number) {
    this.#last = last;
  }

  get last(): number {
    return this.#last;
  }

  /** Reserves ids, and gives the first of them. */
  take(count: number): number {
    const first = this.#last + 1;
    this.#last += count;
    return first;
  }

  /** Ids up to this one are taken. */
  upTo(id: number): void {
    this.#last = Math.max(this.#last, id);
  }
}
