// Threads that decode pushed lines beside the main one. A thread that ends takes the pushes along that wait for it, and
// nothing of them is stored; the next push starts another.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Field, FileColumns, RecordRun } from '#engines/engine.ts';
import { RunRecords } from '#engines/record-run.ts';
import { workerFile } from '#kernel/worker-file.ts';
import { type DecodeAnswer, type DecodeOrder, type DecodeResult, partOf } from './decode-message.ts';
import type { DecodeSlot } from './decode-slots.ts';
import { FiledRun } from './filed-run.ts';
import { type DecodedLines, LinesExceeded } from './line-decode.ts';

/** The main thread and the engine work at the same time. */
const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Of one thread: more than the records of one order take. */
const HEAP_MEGABYTES = 512;
/** Sources whose fields are known; a thread knows fewer. */
const MAX_SOURCES = 64;

export interface LinesOrder extends Pick<DecodeOrder, 'source' | 'arrival' | 'limits'> {
  /** Every line has an end. In a slot, or handed over. */
  readonly lines: Buffer | Uint8Array<ArrayBuffer>;
  readonly slot?: DecodeSlot;
  /** Of the table that the records go to, where they may become a file of it. */
  readonly columns?: FileColumns | undefined;
}

export class DecodeThreads {
  #threads: readonly DecodeThread[] = [];

  /** Rejects when the client has gone: a thread may go on with the lines for a while. */
  async decode(order: LinesOrder, gone?: AbortSignal): Promise<DecodedLines> {
    gone?.throwIfAborted();
    return await this.#nextThread().decode(order, gone);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** The one that the fewest orders wait for; a further one is started while all are busy. */
  #nextThread(): DecodeThread {
    const [least] = this.#threads.toSorted((a, b) => a.waiting - b.waiting);
    if (least && (least.waiting === 0 || this.#threads.length >= MAX_THREADS)) return least;
    const thread: DecodeThread = new DecodeThread(() => {
      this.#threads = this.#threads.filter((one) => one !== thread);
    });
    this.#threads = [...this.#threads, thread];
    return thread;
  }
}

/** What is known of the fields of a source in a thread. */
interface SourceFields {
  readonly serial: number;
  readonly fields: Field[];
  readonly records: RunRecords;
  /** Whether places of a run with a file were asked for. */
  wantsPlaces: boolean;
}

class DecodeThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<DecodeResult>>();
  readonly #sources = new Map<string, SourceFields>();
  #lastId = 0;

  /** `ended` is told once. */
  constructor(ended: () => void) {
    this.#worker = new Worker(workerFile('./decode-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
    this.#worker.unref();
    let cause: unknown;
    this.#worker.on('message', (answer: DecodeAnswer) => this.#answered(answer));
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

  async decode(order: LinesOrder, gone?: AbortSignal): Promise<DecodedLines> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = Promise.withResolvers<DecodeResult>();
    this.#waiting.set(id, answered);
    // An unanswered order keeps the process.
    this.#worker.ref();
    this.#send(id, order);
    const cancel = () => this.#cancel(id, gone?.reason);
    gone?.addEventListener('abort', cancel);
    const result = await answered.promise.finally(() => gone?.removeEventListener('abort', cancel));
    return { ...result, parts: this.#partsOf(order, result) };
  }

  #send(id: number, { source, arrival, limits, lines, slot, columns }: LinesOrder): void {
    const { serial = 0, fields = [], wantsPlaces = false } = this.#sources.get(source) ?? {};
    const known = { serial, count: fields.length };
    const order = { id, source, arrival, limits, known, wantsPlaces };
    if (slot) {
      const numbers = columns && fields.length > 0 ? { numbers: columns.numbersOf(fields) } : {};
      this.#post({ ...order, ...numbers, lines: { memory: slot.memory, bytes: lines.length } });
    } else {
      // Without a slot they are handed over, and so have memory of their own.
      const own = lines as Uint8Array<ArrayBuffer>;
      this.#post({ ...order, lines: own }, [own.buffer]);
    }
  }

  #post(order: DecodeOrder, handedOver: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(order, handedOver);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #cancel(id: number, reason: unknown): void {
    this.#worker.postMessage({ cancelled: id });
    this.#taken(id)?.reject(reason);
  }

  #taken(id: number): PromiseWithResolvers<DecodeResult> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    return waiting;
  }

  #answered(answer: DecodeAnswer): void {
    const waiting = this.#taken(answer.id);
    if ('result' in answer) waiting?.resolve(answer.result);
    else waiting?.reject(answer.failure === 'too-many-lines' ? new LinesExceeded('too many lines') : answer.failure);
  }

  #learn(source: string, { serial, fields, fieldsFrom }: DecodeResult): SourceFields {
    const known = this.#sources.get(source);
    const found =
      known?.serial === serial ? known : { serial, fields: [], records: new RunRecords(), wantsPlaces: false };
    // Answers to orders that were sent before the last answer repeat some.
    found.fields.push(...fields.slice(found.fields.length - fieldsFrom));
    this.#sources.delete(source);
    this.#sources.set(source, found);
    const [oldest] = this.#sources.size > MAX_SOURCES ? this.#sources.keys() : [];
    if (oldest !== undefined) this.#sources.delete(oldest);
    return found;
  }

  #partsOf(order: LinesOrder, result: DecodeResult): DecodedLines['parts'] {
    const source = this.#learn(order.source, result);
    const { handedBack, places, file, sequence } = result;
    const { fields, records } = source;
    const { buffer, length } = handedBack ?? order.lines;
    const bytes = Buffer.from(buffer, 0, length);
    const { slot, columns, arrival, limits } = order;
    const made = file && slot && columns ? { file: { ...file, bytes: slot.file, columns } } : {};
    if (!places) {
      const located = () => {
        source.wantsPlaces = true;
      };
      return made.file ? [new FiledRun({ bytes, arrival, limits, located, file: made.file })] : [];
    }
    const located = { ...places, bytes, fields };
    const run: RecordRun = { ...located, ...made, records: () => records.of(located) };
    let at = 0;
    return sequence.map((part) => {
      if (typeof part !== 'number') return part;
      at += part;
      return partOf(run, at - part, at);
    });
  }
}
