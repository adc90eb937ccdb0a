// Worker threads that answer orders. An order has an id, so a thread may have several; the side of the worker is
// `answerOrders` (answer-orders.ts). A thread that ends takes its unanswered orders along: they reject with WorkerEnded.

import { Worker } from 'node:worker_threads';
import { yielding } from './thread-priority.ts';

export interface WorkerOptions {
  readonly file: URL;
  /** Limit of the heap; a thread beyond it ends. */
  readonly heapMegabytes?: number;
  /** For `workerData`. */
  readonly data?: unknown;
  /** Gives way to the main thread: for work that no request waits for briefly. */
  readonly hasLowPriority?: boolean;
  /** False if the process may exit while an order has no answer. */
  readonly keepsProcess?: boolean;
}

export interface AskOptions<Part> {
  /** Memory that is moved to the thread instead of being copied. */
  readonly handedOver?: readonly ArrayBuffer[] | undefined;
  /** Aborts when the answer is no longer needed. The thread learns of it, and may go on with the order for a while. */
  readonly gone?: AbortSignal | undefined;
  /** Receives what the thread reports before its answer. */
  onPart?(part: Part): void;
}

export type ToWorker<Order> = { readonly id: number; readonly order: Order } | { readonly cancelled: number };

export type FromWorker<Answer, Part> =
  | 'ready'
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly part: Part }
  | { readonly id: number; readonly error: unknown };

/** The thread ended before it answered. */
export class WorkerEnded extends Error {
  constructor(cause: unknown) {
    super('the thread has ended', { cause });
  }

  get isOutOfMemory(): boolean {
    return this.cause instanceof Error && 'code' in this.cause && this.cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  }
}

interface Unanswered<Answer, Part> extends PromiseWithResolvers<Answer> {
  readonly onPart: ((part: Part) => void) | undefined;
}

export class WorkerThread<Order, Answer, Part = never> implements AsyncDisposable {
  /** Resolves when the thread has loaded its modules; rejects with WorkerEnded. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #keepsProcess: boolean;
  readonly #unanswered = new Map<number, Unanswered<Answer, Part>>();
  readonly #ended = Promise.withResolvers<void>();
  #hasEnded = false;
  #hasCancelled = false;
  #lastId = 0;

  constructor({ file, heapMegabytes, data, hasLowPriority = false, keepsProcess = true }: WorkerOptions) {
    const resourceLimits = heapMegabytes === undefined ? {} : { maxOldGenerationSizeMb: heapMegabytes };
    const start = () => new Worker(file, { resourceLimits, workerData: data });
    this.#keepsProcess = keepsProcess;
    this.#worker = hasLowPriority ? yielding(start) : start();
    this.#worker.unref();
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ready.catch(() => undefined);
    let cause: unknown;
    this.#worker.on('message', (message: FromWorker<Answer, Part>) => {
      if (message === 'ready') ready.resolve();
      else this.#take(message);
    });
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.on('exit', () => {
      this.#hasEnded = true;
      const ended = new WorkerEnded(cause);
      ready.reject(ended);
      for (const { reject } of this.#unanswered.values()) reject(ended);
      this.#unanswered.clear();
      this.#ended.resolve();
    });
  }

  /** Orders without an answer. */
  get waiting(): number {
    return this.#unanswered.size;
  }

  /** Resolves when the thread has ended, for whatever reason. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** False if it may still be at an order that was cancelled. */
  get isReusable(): boolean {
    return !this.#hasEnded && !this.#hasCancelled && this.#unanswered.size === 0;
  }

  /** Rejects with the reason of `gone`, with the error of the worker, or with WorkerEnded. */
  async ask(order: Order, { handedOver = [], gone, onPart }: AskOptions<Part> = {}): Promise<Answer> {
    gone?.throwIfAborted();
    if (this.#hasEnded) throw new WorkerEnded(undefined);
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = Promise.withResolvers<Answer>();
    this.#unanswered.set(id, { ...answered, onPart });
    if (this.#keepsProcess) this.#worker.ref();
    this.#worker.postMessage({ id, order } satisfies ToWorker<Order>, handedOver);
    const cancel = () => this.#cancel(id, gone?.reason);
    gone?.addEventListener('abort', cancel);
    return await answered.promise.finally(() => gone?.removeEventListener('abort', cancel));
  }

  /** Ends the thread at once, with its orders. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #take(message: Exclude<FromWorker<Answer, Part>, 'ready'>): void {
    if ('part' in message) this.#unanswered.get(message.id)?.onPart?.(message.part);
    else if ('error' in message) this.#settled(message.id)?.reject(message.error);
    else this.#settled(message.id)?.resolve(message.answer);
  }

  #cancel(id: number, reason: unknown): void {
    this.#hasCancelled = true;
    this.#worker.postMessage({ cancelled: id } satisfies ToWorker<Order>);
    this.#settled(id)?.reject(reason);
  }

  #settled(id: number): Unanswered<Answer, Part> | undefined {
    const unanswered = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#worker.unref();
    return unanswered;
  }
}

/** What a pool needs of a thread; a class of its own may keep what its thread has learnt. */
export type PooledThread = Pick<WorkerThread<never, unknown>, 'waiting' | 'isReusable' | 'ended' | 'close'>;

export interface WorkerPoolOptions<Thread> {
  start(): Thread;
  /** Threads that share orders; leases are bounded by those who take them. */
  readonly max?: number;
  /** Leased threads that are kept for the next lease. */
  readonly maxIdle?: number;
}

/** A thread that no one else has. */
export interface WorkerLease<Thread> extends AsyncDisposable {
  readonly thread: Thread;
}

export class WorkerPool<Thread extends PooledThread> {
  readonly #options: WorkerPoolOptions<Thread>;
  readonly #threads = new Set<Thread>();
  readonly #idle = new Set<Thread>();
  #isClosed = false;

  constructor(options: WorkerPoolOptions<Thread>) {
    this.#options = options;
  }

  /** The thread with the fewest orders; a further one is started while all are busy. */
  next(): Thread {
    const { max = 1 } = this.#options;
    const [least] = [...this.#threads].sort((a, b) => a.waiting - b.waiting);
    return least && (least.waiting === 0 || this.#threads.size >= max) ? least : this.#start();
  }

  /** A thread until it is disposed of. One that may still be at an order, or is not reusable, ends with its lease. */
  lease(): WorkerLease<Thread> {
    const [idle] = this.#idle;
    const thread = idle ?? this.#start();
    this.#idle.delete(thread);
    return { thread, [Symbol.asyncDispose]: () => this.#release(thread) };
  }

  /** Ends all threads at once: orders without an answer reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  #start(): Thread {
    const thread = this.#options.start();
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#threads.delete(thread);
      this.#idle.delete(thread);
    });
    return thread;
  }

  async #release(thread: Thread): Promise<void> {
    const { maxIdle = 0 } = this.#options;
    if (thread.isReusable && !this.#isClosed && this.#idle.size < maxIdle) this.#idle.add(thread);
    else await thread.close();
  }
}
