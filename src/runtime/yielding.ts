// Long loops on the main thread yield to the event loop once they have held it for a while.

import { yieldToEventLoop } from './event-loop.ts';

/** A pause of this length does not delay other requests noticeably. */
const MAX_MS = 10;

export class YieldTimer {
  readonly #maxMs: number;
  #since = performance.now();

  constructor(maxMs = MAX_MS) {
    this.#maxMs = maxMs;
  }

  /** For a caller that has just yielded by other means. */
  restart(): void {
    this.#since = performance.now();
  }

  get isDue(): boolean {
    return performance.now() - this.#since >= this.#maxMs;
  }

  /** Undefined until `maxMs` have passed; otherwise resolves after one iteration of the event loop. */
  yieldIfDue(): Promise<void> | undefined {
    return this.isDue ? this.#yield() : undefined;
  }

  async #yield(): Promise<void> {
    await yieldToEventLoop();
    this.restart();
  }
}

/** Between two looks at the time, where each step is short. */
const SLICE_STEPS = 1000;

/** Calls `work` with each number from 0 on. */
export async function countYielding(
  count: number,
  work: (at: number) => void,
  timer = new YieldTimer(),
): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    work(at);
    if (at % SLICE_STEPS === SLICE_STEPS - 1) await timer.yieldIfDue();
  }
}

export async function forEachYielding<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const timer = new YieldTimer();
  for (const item of items) {
    work(item);
    const pause = timer.yieldIfDue();
    if (pause) await pause;
  }
}
