// Delays the removal of replaced files until all readers that may hold them have left: unlinking a file under a running scan
// fails that scan.

/** Something to remove, with the readers that may still hold it. */
interface Removal {
  readonly readers: Set<symbol>;
  remove(): void;
}

export class Readers {
  #waiting: Removal[] = [];
  readonly #present = new Set<symbol>();

  enter(): Disposable {
    const reader = Symbol('reader');
    this.#present.add(reader);
    return { [Symbol.dispose]: () => this.#leave(reader) };
  }

  /** Calls `remove` when all present readers have left; at once when there are none. */
  whenGone(remove: () => void): void {
    if (this.#present.size === 0) remove();
    else this.#waiting.push({ readers: new Set(this.#present), remove });
  }

  #leave(reader: symbol): void {
    this.#present.delete(reader);
    for (const { readers } of this.#waiting) readers.delete(reader);
    const ready = this.#waiting.filter(({ readers }) => readers.size === 0);
    this.#waiting = this.#waiting.filter(({ readers }) => readers.size > 0);
    for (const { remove } of ready) remove();
  }
}
