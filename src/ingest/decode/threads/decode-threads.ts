// Threads that decode pushed lines beside the main one. Of pushes that a thread takes along when it ends nothing is stored.

import { KnownSources } from '#ingest/decode/batches/known-sources.ts';
import { type DecodedLines, LinesExceeded } from '#ingest/decode/line-decode.ts';
import { MAX_DECODING_THREADS, THREAD_HEAP_MEGABYTES } from '#ingest/threads/thread-limits.ts';
import type { FileColumns } from '#logs/log-store.ts';
import { WorkerPool, WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import { type DecodeAnswer, type DecodeOrder, type DecodeResult, partOf } from './decode-message.ts';
import type { DecodeSlot } from './decode-slots.ts';

export interface LinesOrder extends Pick<DecodeOrder, 'source' | 'arrival' | 'limits'> {
  /** Every line has an end. In a slot, or handed over. */
  readonly lines: Buffer | Uint8Array<ArrayBuffer>;
  readonly slot?: DecodeSlot;
  /** Of the table that the records go to, where they may become a file of it. */
  readonly columns?: FileColumns | undefined;
}

export class DecodeThreads {
  readonly #threads = new WorkerPool({ start: () => new DecodeThread(), max: MAX_DECODING_THREADS });

  /** Rejects when the client has gone: a thread may go on with the lines for a while. */
  async decode(order: LinesOrder, gone?: AbortSignal): Promise<DecodedLines> {
    gone?.throwIfAborted();
    return await this.#threads.next().decode(order, gone);
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

class DecodeThread extends WorkerThread<DecodeOrder, DecodeAnswer> {
  readonly #sources = new KnownSources();

  constructor() {
    super({ file: workerFile('./decode-worker.ts', import.meta.url), heapMegabytes: THREAD_HEAP_MEGABYTES });
  }

  async decode(order: LinesOrder, gone?: AbortSignal): Promise<DecodedLines> {
    const answer = await this.#decode(order, gone);
    if ('result' in answer) return { ...answer.result, parts: this.#partsOf(order, answer.result) };
    throw answer.failure === 'too-many-lines' ? new LinesExceeded('too many lines') : answer.failure;
  }

  #decode({ source, arrival, limits, lines, slot, columns }: LinesOrder, gone?: AbortSignal): Promise<DecodeAnswer> {
    const order = { source, arrival, limits, ...this.#sources.orderFor(source, slot && columns) };
    if (slot) {
      const shared = { memory: slot.memory, bytes: lines.length };
      return this.ask({ ...order, lines: shared }, { gone });
    }
    // Without a slot they are handed over, and so have memory of their own.
    const own = lines as Uint8Array<ArrayBuffer>;
    return this.ask({ ...order, lines: own }, { handedOver: [own.buffer], gone });
  }

  #partsOf(order: LinesOrder, result: DecodeResult): DecodedLines['parts'] {
    const { buffer, length } = result.handedBack ?? order.lines;
    const batch = this.#sources.batchOf(order.source, result, { ...order, bytes: Buffer.from(buffer, 0, length) });
    if (!batch) return [];
    if (!result.offsets) return [batch];
    let at = 0;
    return result.sequence.map((part) => {
      if (typeof part !== 'number') return part;
      at += part;
      return partOf(batch, at - part, at);
    });
  }
}
