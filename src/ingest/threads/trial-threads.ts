// Threads for work that a request tries out, such as drafts of rules and parsers, each with a timeout of five seconds, so that
// it cannot delay incoming logs. A bounded number runs at once, one per account; a thread beyond the timeout is terminated.

import { testTookTooLong, tooManyRequests } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Slots, SlotsFull } from '#runtime/slots.ts';
import { type PooledThread, WorkerEnded, WorkerPool } from '#runtime/threads.ts';

const TIMEOUT = Temporal.Duration.from({ seconds: 5 });
const LIMITS = { total: 2, perKey: 1, maxWaiting: 32, maxWaitingPerKey: 4 };
/** Heap limit of a thread. */
export const TRIAL_HEAP_MEGABYTES = 256;

interface TrialRequest {
  /** Account of the request. */
  readonly account: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Runs one trial after another. */
export interface TrialThread<R, O> extends PooledThread {
  /** Rejects when the thread exits before. */
  readonly ready: Promise<void>;
  /** Rejects with the reason of `gone`. */
  run(request: R, gone: AbortSignal): Promise<O>;
}

interface TrialThreadsDeps<R, O> {
  readonly clock: Clock;
  start(): TrialThread<R, O>;
}

export class TrialThreads<R extends TrialRequest, O> {
  readonly #deps: TrialThreadsDeps<R, O>;
  readonly #slots = new Slots(LIMITS);
  readonly #pool: WorkerPool<TrialThread<R, O>>;

  constructor(deps: TrialThreadsDeps<R, O>) {
    this.#deps = deps;
    this.#pool = new WorkerPool({ start: () => deps.start(), maxIdle: 1 });
  }

  /** Refuses a trial beyond the timeout, and any trial while too many wait. */
  async run(request: R): Promise<O> {
    using _ = await this.#slot(request);
    await using lease = this.#pool.lease();
    return await this.#runIn(lease.thread, request);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #slot({ account, signal }: TrialRequest): Promise<Disposable> {
    try {
      return await this.#slots.acquire({ key: account, signal });
    } catch (error) {
      throw error instanceof SlotsFull ? tooManyRequests(1) : error;
    }
  }

  async #runIn(thread: TrialThread<R, O>, request: R): Promise<O> {
    const over = new AbortController();
    const late = new AbortController();
    void this.#abortLate(thread, { over: over.signal, late });
    try {
      return await thread.run(request, AbortSignal.any([request.signal, late.signal]));
    } catch (error) {
      // A thread ends by itself only when it runs out of memory.
      const isCutShort = late.signal.aborted || request.signal.aborted || error instanceof WorkerEnded;
      throw isCutShort ? testTookTooLong() : error;
    } finally {
      over.abort();
    }
  }

  /** The timeout starts when the thread is ready: loading the language is slow on a busy machine. */
  async #abortLate(
    thread: TrialThread<R, O>,
    { over, late }: { readonly over: AbortSignal; readonly late: AbortController },
  ): Promise<void> {
    await thread.ready.catch(() => undefined);
    await this.#deps.clock.sleep(TIMEOUT, over);
    if (!over.aborted) late.abort();
  }
}
