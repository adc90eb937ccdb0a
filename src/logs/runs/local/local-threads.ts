// Threads for work of the local evaluator on rows: one for each task as long as it has rows, so that a task that cannot be interrupted
// ends with its thread, and no other task with it. A few idle threads are kept.

import type { RunWork } from '#logs/runs/duckdb/execution-slots.ts';
import { FileFailure } from '#query/local/file-failures.ts';
import type { WebRequest } from '#query/plan-nodes/shared/web.ts';
import { RunFailure } from '#query/values/failures.ts';
import { Slots } from '#runtime/slots.ts';
import { WorkerEnded, WorkerPool, WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { LocalBatch, LocalOutput } from './local-work.ts';
import type { LocalAnswer, LocalMessage } from './local-worker.ts';

/** A thread takes some 25 MB; tasks beyond so many wait. */
const MAX_THREADS = 32;
const MAX_IDLE = 2;
/** Of one thread: more than any value of the language may take. */
const HEAP_MEGABYTES = 512;

export class LocalThreads {
  readonly #pool = new WorkerPool({ start: startThread, maxIdle: MAX_IDLE });
  readonly #slots = new Slots({ total: MAX_THREADS });

  /** For one task, which `portableTask` has made. Ends with the signal of its run in any state. */
  async begin(task: unknown, work: RunWork): Promise<LocalThread> {
    const held = new AsyncDisposableStack();
    try {
      held.use(await this.#slots.acquire({ signal: work.signal }));
      const thread = new LocalThread(held.use(this.#pool.lease()).thread, work, held);
      await thread.begin(task);
      return thread;
    } catch (error) {
      await held[Symbol.asyncDispose]();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

const startThread = () =>
  new WorkerThread<LocalMessage, LocalAnswer>({
    file: workerFile('./local-worker.ts', import.meta.url),
    heapMegabytes: HEAP_MEGABYTES,
    hasLowPriority: true,
  });

export class LocalThread implements AsyncDisposable {
  readonly #thread: WorkerThread<LocalMessage, LocalAnswer>;
  readonly #work: RunWork;
  /** Released with the thread. */
  readonly #held: AsyncDisposable;

  constructor(thread: WorkerThread<LocalMessage, LocalAnswer>, work: RunWork, held: AsyncDisposable) {
    this.#thread = thread;
    this.#work = work;
    this.#held = held;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#held[Symbol.asyncDispose]();
  }

  async begin(task: unknown): Promise<void> {
    await this.#work.runTask(() => this.#asked({ task }));
  }

  /** The outputs of a batch, one after the other. */
  async *outputs(batch: LocalBatch): AsyncGenerator<LocalOutput> {
    for (let message: LocalMessage = { batch }; ; message = 'more') {
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

  async #asked(message: LocalMessage): Promise<LocalAnswer> {
    const { signal } = this.#work;
    try {
      const answer = await this.#thread.ask(message, { gone: signal });
      if (typeof answer === 'object' && 'failure' in answer) throw failureOf(answer.failure);
      return answer;
    } catch (error) {
      throw signal.aborted ? signal.reason : outOfMemory(error);
    }
  }
}

function failureOf({ message, run, file }: Extract<LocalAnswer, { failure: unknown }>['failure']): Error {
  if (file) return new FileFailure(file.code, file.size);
  return run ? new RunFailure(run.code, run.most) : new Error(message);
}

/** In the words of the engine. */
const outOfMemory = (error: unknown): unknown =>
  error instanceof WorkerEnded && error.isOutOfMemory
    ? new Error('Out of Memory Error: rows that the local evaluator works on', { cause: error })
    : error;
