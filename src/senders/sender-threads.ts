// Decodes the bodies of senders: small ones at once, others in threads beside the main one. A thread that ends takes the
// bodies along that wait for it, and nothing of them is stored; the next one starts another.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { eventLoop } from '#kernel/event-loop.ts';
import { Semaphore } from '#kernel/semaphore.ts';
import { workerFile } from '#kernel/worker-file.ts';
import { BodyRefused, type Decoded, type SenderRequest } from './decoded.ts';
import type { Sender } from './sender.ts';
import type { SenderAnswer, SenderOrder } from './sender-message.ts';

/** The main thread and the engine work at the same time. */
const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Of one thread: more than the records of its orders take. */
const HEAP_MEGABYTES = 512;
/** Bodies that a thread decodes in turns: a small one does not wait for a large one, and their records fit into memory. */
const MAX_ORDERS = 2;
/** So few bytes are decoded in less time than a thread takes to wake. */
const MAX_BYTES_AT_ONCE = 32 * 1024;
/** Of records that so few bytes may stand for; a body with more is decoded in a thread. */
const MAX_RECORD_BYTES_AT_ONCE = 512 * 1024;

export class SenderThreads {
  readonly #permits = new Semaphore(MAX_THREADS * MAX_ORDERS);
  #threads: readonly SenderThread[] = [];

  /** Throws BodyRefused. Rejects when the client has gone. */
  async decode<Facts>(
    sender: Sender<Facts>,
    body: Buffer,
    { request, gone }: { request: SenderRequest; gone: AbortSignal },
  ): Promise<Decoded<Facts>> {
    const small = body.length > MAX_BYTES_AT_ONCE ? undefined : await decodeAtOnce(sender, body, request);
    if (small) return small;
    using _ = await this.#permits.acquire(gone);
    const decoded = await this.#nextThread().decode({ sender: sender.name, body: copyOf(body), request });
    gone.throwIfAborted();
    return decoded as Decoded<Facts>; // The decoder of the same sender made them.
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** The one with the fewest orders; a further one is started while all are busy. */
  #nextThread(): SenderThread {
    const [least] = this.#threads.toSorted((a, b) => a.waiting - b.waiting);
    if (least && (least.waiting === 0 || this.#threads.length >= MAX_THREADS)) return least;
    const thread: SenderThread = new SenderThread(() => {
      this.#threads = this.#threads.filter((one) => one !== thread);
    });
    this.#threads = [...this.#threads, thread];
    return thread;
  }
}

/** Undefined where the records take more than they may here. */
async function decodeAtOnce<Facts>(
  sender: Sender<Facts>,
  body: Buffer,
  request: SenderRequest,
): Promise<Decoded<Facts> | undefined> {
  const bytes = Math.min(request.limits.bytes, MAX_RECORD_BYTES_AT_ONCE);
  try {
    return await eventLoop.runInSlots(sender.decode(body, { ...request, limits: { ...request.limits, bytes } }));
  } catch (error) {
    if (error instanceof BodyRefused && error.fault === 'too-long') return undefined;
    throw error;
  }
}

/** Handed over to the thread; the memory of a body may be shared with others. */
function copyOf(body: Buffer): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(body.length);
  copy.set(body);
  return copy;
}

class SenderThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Decoded>>();
  #lastId = 0;

  /** `ended` is told once. */
  constructor(ended: () => void) {
    this.#worker = new Worker(workerFile('./sender-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    this.#worker.unref();
    let cause: unknown;
    this.#worker.on('message', (answer: SenderAnswer) => this.#answered(answer));
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

  async decode(order: Omit<SenderOrder, 'id'>): Promise<Decoded> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = Promise.withResolvers<Decoded>();
    this.#waiting.set(id, answered);
    // An unanswered order keeps the process.
    this.#worker.ref();
    this.#worker.postMessage({ ...order, id } satisfies SenderOrder, [order.body.buffer]);
    return await answered.promise;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #answered(answer: SenderAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('decoded' in answer) waiting?.resolve(answer.decoded);
    else waiting?.reject('refused' in answer ? refusedBy(answer) : answer.failure);
  }
}

function refusedBy({ refused }: Extract<SenderAnswer, { refused: object }>): BodyRefused {
  const { fault, item, detail } = refused;
  return new BodyRefused(fault, { detail, ...(item === undefined ? {} : { item }) });
}
