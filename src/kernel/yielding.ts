// A stretch of work on the main thread: it knows how long it has kept everybody else waiting, and lets them in.

/** Nobody notices a pause of this length. */
const MAX_MS = 10;

export class Stretch {
  #since = performance.now();

  /** Others have just been in. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Undefined as long as it has not lasted for long; otherwise resolves when others have been in. */
  yieldIfDue(): Promise<void> | undefined {
    return performance.now() - this.#since < MAX_MS ? undefined : this.#rest();
  }

  async #rest(): Promise<void> {
    await new Promise(setImmediate);
    this.begin();
  }
}

/** Does something with each of many. */
export async function forEachYielding<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const stretch = new Stretch();
  for (const item of items) {
    work(item);
    const pause = stretch.yieldIfDue();
    if (pause) await pause;
  }
}
