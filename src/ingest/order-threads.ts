// Threads that answer orders beside the main one. A thread that ends takes the orders along that wait for it; the next order
// starts another.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CancelledOrder } from './order-worker.ts';

/** The main thread and the engine work at the same time. */
export const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Of one thread: more than the records of its orders take. */
const HEAP_MEGABYTES = 512;

interface BusyThread {
  /** Orders without an answer. */
  readonly waiting: number;
  close(): Promise<void>;
}

/** `start` makes a thread that tells once when it has ended. */
export class OrderThreads<Thread extends BusyThread> {
  readonly #start: (ended: () => void) => Thread;
  #threads: readonly Thread[] = [];

  constructor(start: (ended: () => void) => Thread) {
    this.#start = start;
  }

  /** The one that the fewest orders wait for; a further one is started while all are busy. */
  next(): Thread {
    const [least] = this.#threads.toSorted((a, b) => a.waiting - b.waiting);
    if (least && (least.waiting === 0 || this.#threads.length >= MAX_THREADS)) return least;
    const thread: Thread = this.#start(() => {
      this.#threads = this.#threads.filter((one) => one !== thread);
    });
    this.#threads = [...this.#threads, thread];
    return thread;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

interface Sending {
  readonly handedOver?: readonly ArrayBuffer[] | undefined;
  /** Aborts when no client waits for the answer any more: the thread may go on with the order for a while. */
  readonly gone?: AbortSignal | undefined;
}

export class OrderThread<Order extends { readonly id: number }, Answer extends { readonly id: number }> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #lastId = 0;

  constructor(file: URL, ended: () => void) {
    this.#worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } });
    this.#worker.unref();
    let cause: unknown;
    this.#worker.on('message', (answer: Answer) => this.#taken(answer.id)?.resolve(answer));
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.on('exit', () => {
      ended();
      for (const { reject } of this.#waiting.values()) reject(new Error('the decoding thread has ended', { cause }));
    });
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Rejects with the reason of `gone`, and when the thread ends. */
  async ask(order: Omit<Order, 'id'>, { handedOver = [], gone }: Sending = {}): Promise<Answer> {
    gone?.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = Promise.withResolvers<Answer>();
    this.#waiting.set(id, answered);
    // An unanswered order keeps the process.
    this.#worker.ref();
    this.#worker.postMessage({ ...order, id }, handedOver);
    const cancel = () => this.#cancel(id, gone?.reason);
    gone?.addEventListener('abort', cancel);
    return await answered.promise.finally(() => gone?.removeEventListener('abort', cancel));
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #cancel(id: number, reason: unknown): void {
    this.#worker.postMessage({ cancelled: id } satisfies CancelledOrder);
    this.#taken(id)?.reject(reason);
  }

  #taken(id: number): PromiseWithResolvers<Answer> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    return waiting;
  }
}
