// Threads for work of the host on rows: one for each task as long as it has rows, so that a task that cannot be interrupted
// ends with its thread, and no other task with it. A few idle threads are kept.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RunWork } from '#logs/runs/duckdb/execution-slots.ts';
import { yielding } from '#logs/runs/duckdb/thread-priority.ts';
import { FileFailure } from '#query/host/file-failures.ts';
import type { WebRequest } from '#query/nodes/shared/web.ts';
import { RunFailure } from '#query/values/failures.ts';
import { Semaphore } from '#runtime/semaphore.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { HostBatch, HostOutput } from './host-work.ts';
import type { HostAnswer, HostMessage } from './host-worker.ts';

/** A thread takes some 25 MB; tasks beyond so many wait. */
const MAX_THREADS = 32;
const MAX_IDLE = 2;
/** Of one thread: more than any value of the language may take. */
const HEAP_MEGABYTES = 512;

export class HostThreads {
  readonly #idle: Worker[] = [];
  readonly #permits = new Semaphore(MAX_THREADS);
  #isClosed = false;

  /** For one task, which `portableTask` has made. Ends with the signal of its run in any state. */
  async begin(task: unknown, work: RunWork): Promise<HostThread> {
    const permit = await this.#permits.acquire(work.signal);
    const worker = this.#idle.pop() ?? this.#started();
    worker.ref();
    const thread = new HostThread(worker, work, (isReusable) => this.#release(worker, permit, isReusable));
    try {
      await thread.begin(task);
      return thread;
    } catch (error) {
      await thread[Symbol.asyncDispose]();
      throw error;
    }
  }

  #started(): Worker {
    const file = workerFile('./host-worker.ts', import.meta.url);
    const worker = yielding(() => new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } }));
    // The pending request rejects with it.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#idle.includes(worker)) this.#idle.splice(this.#idle.indexOf(worker), 1);
    });
    return worker;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const worker of this.#idle.splice(0)) await worker.terminate();
  }

  async #release(worker: Worker, permit: Disposable, isReusable: boolean): Promise<void> {
    permit[Symbol.dispose]();
    if (isReusable && !this.#isClosed && this.#idle.length < MAX_IDLE) {
      worker.unref();
      this.#idle.push(worker);
    } else await worker.terminate();
  }
}

export class HostThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #work: RunWork;
  readonly #leave: (isReusable: boolean) => Promise<void>;
  #isReusable = true;

  constructor(worker: Worker, work: RunWork, leave: (isReusable: boolean) => Promise<void>) {
    this.#worker = worker;
    this.#work = work;
    this.#leave = leave;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave(this.#isReusable);
  }

  async begin(task: unknown): Promise<void> {
    await this.#work.runTask(() => this.#asked({ task }));
  }

  /** The outputs of a batch, one after the other. */
  async *outputs(batch: HostBatch): AsyncGenerator<HostOutput> {
    for (let message: HostMessage = { batch }; ; message = 'more') {
      const asking = message;
      const answer = await this.#work.runTask(() => this.#asked(asking));
      if (answer === 'begun' || !('output' in answer)) throw new Error('a batch gives rows');
      yield answer.output;
      if (answer.output.isDone) return;
    }
  }

  /** The requests of some rows. */
  async requests(texts: readonly string[]): Promise<readonly WebRequest[]> {
    const answer = await this.#work.runTask(() => this.#asked({ asking: texts }));
    if (answer === 'begun' || !('requests' in answer)) throw new Error('rows give requests');
    return answer.requests;
  }

  async #asked(message: HostMessage): Promise<HostAnswer> {
    this.#work.signal.throwIfAborted();
    const over = new AbortController();
    const signal = AbortSignal.any([this.#work.signal, over.signal]);
    this.#isReusable = false;
    try {
      const exit = once(this.#worker, 'exit', { signal }).then(() => Promise.reject(new Error('the thread has ended')));
      exit.catch(() => undefined);
      const answered = once(this.#worker, 'message', { signal });
      this.#worker.postMessage(message);
      const [answer] = (await Promise.race([answered, exit])) as [HostAnswer];
      this.#isReusable = true;
      if (typeof answer === 'object' && 'failure' in answer) throw failureOf(answer.failure);
      return answer;
    } catch (error) {
      throw this.#work.signal.aborted ? this.#work.signal.reason : outOfMemory(error);
    } finally {
      over.abort();
    }
  }
}

function failureOf({ message, run, file }: Extract<HostAnswer, { failure: unknown }>['failure']): Error {
  if (file) return new FileFailure(file.code, file.size);
  return run ? new RunFailure(run.code, run.most) : new Error(message);
}

/** In the words of the engine. */
const outOfMemory = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new Error('Out of Memory Error: rows that the host works on', { cause: error })
    : error;
