// A stretch of work on the main thread: it knows how long it has kept everybody else waiting, and lets them in.

/** Nobody notices a pause of this length. */
const MOST_MS = 10;

export class Stretch {
  #since = performance.now();

  /** Others have just been in. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Undefined as long as it has not lasted for long; otherwise resolves when others have been in. */
  breathe(): Promise<void> | undefined {
    return performance.now() - this.#since < MOST_MS ? undefined : this.#rest();
  }

  async #rest(): Promise<void> {
    await new Promise(setImmediate);
    this.begin();
  }
}

/** Does something with each of many. */
export async function forEachCalmly<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const stretch = new Stretch();
  for (const item of items) {
    work(item);
    const pause = stretch.breathe();
    if (pause) await pause;
  }
}
