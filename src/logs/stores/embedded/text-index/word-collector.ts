// Collecting the words of row groups: in a thread of its own where there are many, so that neither requests nor queries wait.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { yielding } from '#logs/runs/duckdb/thread-priority.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { GroupFilter } from './group-filter.ts';
import { GroupWords } from './group-words.ts';
import { addObjects } from './json-words.ts';

/** Texts of a column, with a zero byte between them. */
export interface ColumnTexts {
  readonly bytes: Uint8Array;
  readonly column: number;
  readonly isJson: boolean;
}

/** How large the filter of a group may be. */
export interface GroupSize {
  readonly rows: number;
  readonly maxBytes: number;
}

export interface WordCollector extends AsyncDisposable {
  add(texts: ColumnTexts): Promise<void>;
  /** Ends the group; texts that follow are of the next one. */
  filter(size: GroupSize): Promise<GroupFilter>;
}

/** Of a file whose words take a few milliseconds on the main thread, less than a thread needs to start. */
const MAX_ROWS_AT_ONCE = 1000;
const MAX_TEXT_BYTES_AT_ONCE = 256 * 1024;

/** `textBytes` are those of the texts before compression. */
export const collectorFor = ({ rows, textBytes }: { rows: number; textBytes: number }): WordCollector =>
  rows <= MAX_ROWS_AT_ONCE && textBytes <= MAX_TEXT_BYTES_AT_ONCE ? new LocalCollector() : new ThreadCollector();

/** For small files. */
export class LocalCollector implements WordCollector {
  #words = new GroupWords();

  async add({ bytes, column, isJson }: ColumnTexts): Promise<void> {
    if (isJson) addObjects(this.#words, bytes, column);
    else this.#words.add(bytes, column);
  }

  async filter({ rows, maxBytes }: GroupSize): Promise<GroupFilter> {
    const filter = this.#words.filter(rows, maxBytes);
    this.#words = new GroupWords();
    return filter;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

export type CollectorMessage = { readonly texts: ColumnTexts } | { readonly ended: GroupSize };

/** Memory of the thread: sets of keys are outside of its heap. */
const HEAP_MEGABYTES = 128;

/** The thread starts with the first texts, and ends with the collector. */
export class ThreadCollector implements WordCollector {
  #worker: Worker | undefined;

  async add(texts: ColumnTexts): Promise<void> {
    const { buffer, byteLength } = texts.bytes;
    // Bytes that have a buffer of their own are moved, not copied.
    await this.#ask({ texts }, buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []);
  }

  async filter(ended: GroupSize): Promise<GroupFilter> {
    // The answer of our own thread to such a message.
    return (await this.#ask({ ended }, [])) as GroupFilter;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  async #ask(message: CollectorMessage, moved: ArrayBuffer[]): Promise<unknown> {
    this.#worker ??= started();
    const worker = this.#worker;
    const over = new AbortController();
    try {
      const exit = once(worker, 'exit', over).then(() => Promise.reject(new Error('the thread has ended')));
      exit.catch(() => undefined);
      const answered = once(worker, 'message', over);
      worker.postMessage(message, moved);
      const [answer] = await Promise.race([answered, exit]);
      return answer;
    } finally {
      over.abort();
    }
  }
}

function started(): Worker {
  const file = workerFile('./collector-worker.ts', import.meta.url);
  const worker = yielding(() => new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES } }));
  worker.unref();
  return worker;
}
