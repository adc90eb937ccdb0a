// Threads that decode pushed lines beside the main one. Of pushes that a thread takes along when it ends nothing is stored.

import type { Field, FileColumns, RecordRun } from '#engines/engine.ts';
import { RunRecords } from '#engines/record-run.ts';
import { workerFile } from '#kernel/worker-file.ts';
import { type DecodeAnswer, type DecodeOrder, type DecodeResult, partOf } from './decode-message.ts';
import type { DecodeSlot } from './decode-slots.ts';
import { FiledRun } from './filed-run.ts';
import { type DecodedLines, LinesExceeded } from './line-decode.ts';
import { OrderThread, OrderThreads } from './order-threads.ts';

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
  readonly #threads = new OrderThreads((ended) => new DecodeThread(ended));

  /** Rejects when the client has gone: a thread may go on with the lines for a while. */
  async decode(order: LinesOrder, gone?: AbortSignal): Promise<DecodedLines> {
    gone?.throwIfAborted();
    return await this.#threads.next().decode(order, gone);
  }

  async close(): Promise<void> {
    await this.#threads.close();
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
  readonly #thread: OrderThread<DecodeOrder, DecodeAnswer>;
  readonly #sources = new Map<string, SourceFields>();

  constructor(ended: () => void) {
    this.#thread = new OrderThread(workerFile('./decode-worker.ts', import.meta.url), ended);
  }

  get waiting(): number {
    return this.#thread.waiting;
  }

  async decode(order: LinesOrder, gone?: AbortSignal): Promise<DecodedLines> {
    const answer = await this.#ask(order, gone);
    if ('result' in answer) return { ...answer.result, parts: this.#partsOf(order, answer.result) };
    throw answer.failure === 'too-many-lines' ? new LinesExceeded('too many lines') : answer.failure;
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  #ask({ source, arrival, limits, lines, slot, columns }: LinesOrder, gone?: AbortSignal): Promise<DecodeAnswer> {
    const { serial = 0, fields = [], wantsPlaces = false } = this.#sources.get(source) ?? {};
    const known = { serial, count: fields.length };
    const order = { source, arrival, limits, known, wantsPlaces };
    if (slot) {
      const numbers = columns && fields.length > 0 ? { numbers: columns.numbersOf(fields) } : {};
      const shared = { memory: slot.memory, bytes: lines.length };
      return this.#thread.ask({ ...order, ...numbers, lines: shared }, { gone });
    }
    // Without a slot they are handed over, and so have memory of their own.
    const own = lines as Uint8Array<ArrayBuffer>;
    return this.#thread.ask({ ...order, lines: own }, { handedOver: [own.buffer], gone });
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
    const run: RecordRun = { ...located, ...made, records: (from, to) => records.of(located, from, to) };
    let at = 0;
    return sequence.map((part) => {
      if (typeof part !== 'number') return part;
      at += part;
      return partOf(run, at - part, at);
    });
  }
}
