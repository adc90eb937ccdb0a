// Threads for work that a request tries out, such as drafts of rules and parsers, each with a timeout of five seconds, so that
// it cannot delay incoming logs. A bounded number runs at once, one per account; a thread beyond the timeout is terminated.

import { Worker } from 'node:worker_threads';
import { testTookTooLong, tooManyRequests } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';

const TIMEOUT = Temporal.Duration.from({ seconds: 5 });
const MAX_CONCURRENT = 2;
const MAX_WAITING_PER_ACCOUNT = 4;
const MAX_WAITING = 32;
/** Heap limit of a thread. */
const HEAP_MEGABYTES = 256;

interface TrialRequest {
  /** Account of the request. */
  readonly account: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Runs one trial after another. */
export interface TrialThread<R, O> {
  /** Rejects when the thread exits before. */
  readonly ready: Promise<void>;
  /** Whether it keeps so much of former trials that no other one should follow. */
  readonly isFull: boolean;
  run(request: R): Promise<O>;
  end(): Promise<void>;
}

interface TrialThreadsDeps<R, O> {
  readonly clock: Clock;
  start(): TrialThread<R, O>;
}

interface WaitingTrial {
  readonly account: string;
  readonly begin: () => void;
}

export class TrialThreads<R extends TrialRequest, O> {
  readonly #deps: TrialThreadsDeps<R, O>;
  /** Accounts of running trials. */
  readonly #running: string[] = [];
  readonly #waiting: WaitingTrial[] = [];
  readonly #threads = new Set<TrialThread<R, O>>();
  #idle: TrialThread<R, O> | undefined;
  #isClosed = false;

  constructor(deps: TrialThreadsDeps<R, O>) {
    this.#deps = deps;
  }

  /** Refuses a trial beyond the timeout, and any trial while too many wait. */
  async run(request: R): Promise<O> {
    await this.#acquireSlot(request);
    try {
      return await this.#runInThread(request);
    } finally {
      this.#running.splice(this.#running.indexOf(request.account), 1);
      this.#beginNext();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.values().map((thread) => thread.end()));
  }

  async #runInThread(request: R): Promise<O> {
    const thread = this.#idle ?? this.#startThread();
    this.#idle = undefined;
    const over = new AbortController();
    // The timeout starts when the thread is ready: loading the language is slow on a busy machine.
    const late = thread.ready.then(() => this.#deps.clock.sleep(TIMEOUT, over.signal)).then(() => undefined);
    const gone = new Promise<undefined>((resolve) => {
      request.signal.addEventListener('abort', () => resolve(undefined), { signal: over.signal });
    });
    try {
      const ended = await Promise.race([thread.run(request).then((outcome) => ({ outcome })), late, gone]);
      if (!ended) throw testTookTooLong();
      this.#reuseOrEnd(thread);
      return ended.outcome;
    } catch (error) {
      await this.#end(thread);
      throw error;
    } finally {
      over.abort();
    }
  }

  #startThread(): TrialThread<R, O> {
    const thread = this.#deps.start();
    this.#threads.add(thread);
    return thread;
  }

  #reuseOrEnd(thread: TrialThread<R, O>): void {
    if (this.#idle || this.#isClosed || thread.isFull) void this.#end(thread);
    else this.#idle = thread;
  }

  async #end(thread: TrialThread<R, O>): Promise<void> {
    this.#threads.delete(thread);
    await thread.end();
  }

  /** Resolves when the account may start a trial. */
  async #acquireSlot({ account, signal }: TrialRequest): Promise<void> {
    if (this.#mayBegin(account)) {
      this.#running.push(account);
      return;
    }
    const ofAccount = this.#waiting.filter((one) => one.account === account).length;
    if (ofAccount >= MAX_WAITING_PER_ACCOUNT || this.#waiting.length >= MAX_WAITING) throw tooManyRequests(1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { account, begin: resolve };
    const leave = () => {
      if (!this.#waiting.includes(waiting)) return;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave);
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  #mayBegin(account: string): boolean {
    return this.#running.length < MAX_CONCURRENT && !this.#running.includes(account);
  }

  /** Starts the first waiting trial whose account has none running. */
  #beginNext(): void {
    const next = this.#waiting.find(({ account }) => this.#mayBegin(account));
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.push(next.account);
    next.begin();
  }
}

interface Settle<O> {
  done(outcome: O): void;
  failed(error: Error): void;
}

/** A worker with bounded memory whose first message says that it is ready. */
export class TrialWorker {
  readonly #worker: Worker;
  readonly ready: Promise<void>;

  constructor(file: URL | string) {
    this.#worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } });
    // The pending answer reports the error.
    this.#worker.on('error', () => {});
    this.#worker.unref();
    this.ready = new Promise((resolve, reject) => {
      this.#worker.once('message', () => resolve());
      this.#worker.once('exit', () => reject(testTookTooLong()));
    });
    this.ready.catch(() => undefined);
  }

  send(message: object): void {
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Calls `listen` for each further message until it says that the answer is whole. Rejects when the thread exits before. */
  answer<M, O>(listen: (message: Exclude<M, 'ready'>, settle: Settle<O>) => void): Promise<O> {
    const { promise, resolve, reject } = Promise.withResolvers<O>();
    const heard = (message: M) => {
      // The comparison narrows no type parameter.
      if (message !== 'ready') listen(message as Exclude<M, 'ready'>, { done: resolve, failed: reject });
    };
    // A thread exits by itself only when it runs out of memory.
    const exited = () => reject(testTookTooLong());
    this.#worker.on('message', heard).on('exit', exited);
    const answered = promise.finally(() => {
      this.#worker.off('message', heard).off('exit', exited);
    });
    // The request may end before the answer is awaited.
    answered.catch(() => undefined);
    return answered;
  }
}
