// Long work on the main thread runs in slots: one slot per iteration of the event loop, so that requests and timers run
// in between, however many pieces of work wait. A thread has one event loop, and so it has one `eventLoop`.

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
    let begun = performance.now();
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (performance.now() - begun < SLOT_MS) continue;
      await this.nextSlot();
      begun = performance.now();
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
