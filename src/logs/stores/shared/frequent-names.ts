// Finds the names that come often among any number of others, in bounded memory (Misra and Gries, 1982).

/** A name that is more than one of so many is never forgotten. */
const MAX_NAMES = 1024;
/** So often a name has come, beyond all those that were forgotten for it. */
const OFTEN = 16;

export class FrequentNames {
  readonly #counts = new Map<string, number>();

  add(name: string, times: number): void {
    const known = this.#counts.get(name);
    if (known !== undefined || this.#counts.size < MAX_NAMES) this.#counts.set(name, (known ?? 0) + times);
    else this.#forget(times);
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) >= OFTEN;
  }

  /** A name that finds no room takes as much from each. */
  #forget(times: number): void {
    for (const [name, count] of this.#counts) {
      if (count > times) this.#counts.set(name, count - times);
      else this.#counts.delete(name);
    }
  }
}
