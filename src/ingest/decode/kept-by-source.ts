// What a thread keeps for a source of records: those of a source mostly have the names that earlier ones had.

/** Each may know up to 4,096 names of 256 bytes. */
const MAX_KEPT = 16;

export interface Kept<T> {
  readonly value: T;
  /** No two values of a thread have the same. */
  readonly serial: number;
}

export class KeptBySource<T> {
  readonly #bySource = new Map<string, Kept<T>>();
  #last = 0;

  for(source: string, make: () => T): Kept<T> {
    const kept = this.#bySource.get(source) ?? this.#made(make);
    // The one that was asked for last is the last to go.
    this.#bySource.delete(source);
    this.#bySource.set(source, kept);
    const [oldest] = this.#bySource.size > MAX_KEPT ? this.#bySource.keys() : [];
    if (oldest !== undefined) this.#bySource.delete(oldest);
    return kept;
  }

  #made(make: () => T): Kept<T> {
    this.#last += 1;
    return { value: make(), serial: this.#last };
  }
}
