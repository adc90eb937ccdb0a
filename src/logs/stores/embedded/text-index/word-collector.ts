// Collecting the words of row groups: in a thread of its own where there are many, so that neither requests nor queries wait.

import { WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import type { GroupFilter } from './group-filter.ts';
import { GroupWords } from './group-words.ts';
import { addLeaves, addObjects } from './json-words.ts';

/** What the texts of a column are: a `leaf` is a string that was in an object. */
export type TextForm = 'text' | 'json' | 'leaf';

/** Texts of a column, with a zero byte between them. */
export interface ColumnTexts {
  readonly bytes: Uint8Array;
  readonly column: number;
  readonly form: TextForm;
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

/** `textBytes` are those of the texts before compression. After `gone` nothing more is collected. */
export const collectorFor = (
  { rows, textBytes }: { rows: number; textBytes: number },
  gone: AbortSignal,
): WordCollector =>
  rows <= MAX_ROWS_AT_ONCE && textBytes <= MAX_TEXT_BYTES_AT_ONCE ? new LocalCollector() : new ThreadCollector(gone);

/** For small files. */
export class LocalCollector implements WordCollector {
  #words = new GroupWords();

  async add({ bytes, column, form }: ColumnTexts): Promise<void> {
    if (form === 'json') addObjects(this.#words, bytes, column);
    else if (form === 'leaf') addLeaves(this.#words, bytes, column);
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

type CollectorThread = WorkerThread<CollectorMessage, GroupFilter | undefined>;

/** The thread starts with the first texts, and ends with the collector. */
export class ThreadCollector implements WordCollector {
  readonly #gone: AbortSignal;
  #started: CollectorThread | undefined;

  /** The thread ends with the collector, but its orders reject as soon as `gone` is aborted. */
  constructor(gone: AbortSignal) {
    this.#gone = gone;
  }

  async add(texts: ColumnTexts): Promise<void> {
    const { buffer, byteLength } = texts.bytes;
    // Bytes that have a buffer of their own are moved, not copied.
    const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
    await this.#thread.ask({ texts }, { handedOver: isOwn ? [buffer] : [], gone: this.#gone });
  }

  async filter(ended: GroupSize): Promise<GroupFilter> {
    const filter = await this.#thread.ask({ ended }, { gone: this.#gone });
    if (!filter) throw new Error('a group without a filter');
    return filter;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started?.close();
  }

  get #thread(): CollectorThread {
    this.#started ??= new WorkerThread({
      file: workerFile('./collector-worker.ts', import.meta.url),
      heapMegabytes: HEAP_MEGABYTES,
      hasLowPriority: true,
    });
    return this.#started;
  }
}
