// A maximum number of items of which one address cannot displace those of others: at the maximum, an address that has a tenth of
// all items displaces its own first item, every other address the first of all.

const ADDRESS_SHARE = 0.1;

export class AddressLimit<T> {
  readonly #max: number;
  /** Items with their addresses, in the order in which they are displaced. */
  readonly #items = new Map<T, string>();
  readonly #byAddress = new Map<string, Set<T>>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#items.size;
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.keys();
  }

  /** The item that must be removed before one of `address` is added; undefined if there is room. */
  displacedBy(address: string): T | undefined {
    if (this.#items.size < this.#max) return undefined;
    const own = this.#byAddress.get(address);
    const [first] = own && own.size >= this.#max * ADDRESS_SHARE ? own : this.#items.keys();
    return first;
  }

  /** Adds the item as the last, or makes it the last. */
  add(item: T, address: string): void {
    this.delete(item);
    this.#items.set(item, address);
    const own = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, own.add(item));
  }

  delete(item: T): void {
    const address = this.#items.get(item);
    if (address === undefined) return;
    this.#items.delete(item);
    const own = this.#byAddress.get(address);
    own?.delete(item);
    if (own?.size === 0) this.#byAddress.delete(address);
  }
}
