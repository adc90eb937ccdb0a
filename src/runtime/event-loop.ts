// How long work shares its thread with everything else. It runs in slices of a few milliseconds, and between two of them it
// either yields, for one iteration of the event loop, or waits for a slot. A slot is the one slice of an iteration: slots are given
// in the order of the requests, so that requests and timers run in between, however many pieces of work wait. What only pauses may
// yield; what many callers may do at once takes slots. A thread has one event loop, and so it has one `eventLoop`.
// Work that is cut into slices without knowing the event loop is a generator (`kernel/sliced-work.ts`), which `runInSlots` drives.

import { Serial } from './serial.ts';

/** One iteration: pending input and output is handled before it resolves. */
export function yieldToEventLoop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  return promise;
}

const SLOT_MS = 4;

/** Work continues after this many accepted connections, so that a flood of connections cannot stop it. */
const MAX_ACCEPTS = 32;

export class EventLoop {
  readonly #slots = new SlotQueue(() => this.#acceptQueueIdle());
  readonly #slotsAfterAccepts = new SlotQueue(() => this.#acceptQueueIdle());
  #accepts = 0;
  #isAccepting = false;

  /** Resolves in the caller's slot. The work in a slot should take no more than a few milliseconds. */
  nextSlot(): Promise<void> {
    return this.#slots.next();
  }

  /** Runs work that may pause after each step, in as many slots as it takes. */
  async runInSlots<T>(work: Iterator<unknown, T>): Promise<T> {
    const timer = new SliceTimer(SLOT_MS);
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (!timer.isDue) continue;
      await this.nextSlot();
      timer.restart();
    }
  }

  /** Call for each accepted connection. The event loop accepts one per iteration, so slots wait for the last. */
  connectionAccepted(): void {
    this.#accepts += 1;
    if (this.#isAccepting) return;
    this.#isAccepting = true;
    void this.#acceptQueueIdle().then(() => {
      this.#isAccepting = false;
    });
  }

  /** Undefined while no connection is being accepted; otherwise resolves in a slot after the accept queue is idle. */
  slotAfterAccepts(): Promise<void> | undefined {
    return this.#isAccepting ? this.#slotsAfterAccepts.next() : undefined;
  }

  async #acceptQueueIdle(): Promise<void> {
    const end = this.#accepts + MAX_ACCEPTS;
    let before: number;
    do {
      before = this.#accepts;
      await yieldToEventLoop();
    } while (this.#accepts !== before && this.#accepts < end);
  }
}

/** Slots in the order in which they were requested; `idle` is awaited before each. */
class SlotQueue {
  readonly #idle: () => Promise<void>;
  readonly #requests = new Serial();

  constructor(idle: () => Promise<void>) {
    this.#idle = idle;
  }

  next(): Promise<void> {
    return this.#requests.run(this.#idle);
  }
}

export const eventLoop = new EventLoop();

/** A pause of this length does not delay other requests noticeably. */
const SLICE_MS = 10;

/** Measures the slice of the work at hand. */
export class SliceTimer {
  readonly #maxMs: number;
  #since = performance.now();

  constructor(maxMs = SLICE_MS) {
    this.#maxMs = maxMs;
  }

  /** For work that has just paused by other means. */
  restart(): void {
    this.#since = performance.now();
  }

  get isDue(): boolean {
    return performance.now() - this.#since >= this.#maxMs;
  }

  /** Undefined until `maxMs` have passed; otherwise resolves after a yield. */
  yieldIfDue(): Promise<void> | undefined {
    return this.isDue ? this.#restarted(yieldToEventLoop()) : undefined;
  }

  /** Undefined until `maxMs` have passed; otherwise resolves in a slot. */
  slotIfDue(): Promise<void> | undefined {
    return this.isDue ? this.#restarted(eventLoop.nextSlot()) : undefined;
  }

  async #restarted(pause: Promise<void>): Promise<void> {
    await pause;
    this.restart();
  }
}

/** Between two looks at the time, where each step is short. */
const SLICE_STEPS = 1000;

/** Calls `work` with each number from 0 on. */
export async function countYielding(
  count: number,
  work: (at: number) => void,
  timer = new SliceTimer(),
): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    work(at);
    if (at % SLICE_STEPS === SLICE_STEPS - 1) await timer.yieldIfDue();
  }
}

export async function forEachYielding<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const timer = new SliceTimer();
  for (const item of items) {
    work(item);
    const pause = timer.yieldIfDue();
    if (pause) await pause;
  }
}
