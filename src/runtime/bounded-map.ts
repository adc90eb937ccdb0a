// A map that holds so much and no more: by the number of its entries, or by their weight.

/**
 * Which entries leave when it is full: the one set first (`oldest`), the one used least recently (`least-used`), all of them
 * (`all`, where an entry is cheap to make again), or none: the new one is not kept (`refuse`).
 */
export type EvictionRule = 'oldest' | 'least-used' | 'all' | 'refuse';

interface BoundedMapOptions<K, V> {
  /** The most entries; with `weigh` the greatest weight of all. */
  readonly max: number;
  readonly evicts: EvictionRule;
  /** The weight of an entry, which must not change while it is kept. */
  weigh?(value: V, key: K): number;
  /** Called for entries that leave because the map is full. */
  evicted?(value: V, key: K): void;
}

export class BoundedMap<K, V> implements Iterable<[K, V]> {
  readonly #options: BoundedMapOptions<K, V>;
  /** In the order in which they leave. */
  readonly #entries = new Map<K, V>();
  #weight = 0;

  constructor(options: BoundedMapOptions<K, V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The weight of all entries: their number without `weigh`. */
  get weight(): number {
    return this.#weight;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** A use, for the rule `least-used`. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (this.#options.evicts === 'least-used' && (value !== undefined || this.#entries.has(key))) {
      this.#entries.delete(key);
      // The entry is there, so its value is of the type V.
      this.#entries.set(key, value as V);
    }
    return value;
  }

  /** Returns the value that is kept, or keeps the one that `make` returns. */
  getOrSet(key: K, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined || this.#entries.has(key)) return known as V; // See `get`.
    const value = make();
    this.set(key, value);
    return value;
  }

  /** Keeps an entry, unless it alone is heavier than the map may be. An entry that is replaced moves to the end. */
  set(key: K, value: V): this {
    const weight = this.#weigh(value, key);
    const { max, evicts } = this.#options;
    const others = this.#weight - this.#weightOf(key);
    if (weight > max || (evicts === 'refuse' && others + weight > max)) return this;
    this.delete(key);
    if (evicts === 'all' && this.#weight + weight > max) this.#evictAll();
    while (this.#weight + weight > max) this.#evictFirst();
    this.#entries.set(key, value);
    this.#weight += weight;
    return this;
  }

  delete(key: K): boolean {
    this.#weight -= this.#weightOf(key);
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  keys(): MapIterator<K> {
    return this.#entries.keys();
  }

  values(): MapIterator<V> {
    return this.#entries.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#entries.entries();
  }

  #evictFirst(): void {
    for (const [key, value] of this.#entries) {
      this.delete(key);
      this.#options.evicted?.(value, key);
      return;
    }
  }

  #evictAll(): void {
    const entries = [...this.#entries];
    this.clear();
    for (const [key, value] of entries) this.#options.evicted?.(value, key);
  }

  #weigh(value: V, key: K): number {
    return this.#options.weigh?.(value, key) ?? 1;
  }

  #weightOf(key: K): number {
    const value = this.#entries.get(key);
    // The entry is there, so its value is of the type V.
    return value === undefined && !this.#entries.has(key) ? 0 : this.#weigh(value as V, key);
  }
}
