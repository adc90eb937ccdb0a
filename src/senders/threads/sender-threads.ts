// Decodes the bodies of senders: small ones at once, others in threads beside the main one.

import { KnownSources } from '#ingest/decode/batches/known-sources.ts';
import { type DecodeSlot, DecodeSlots, MAX_SLOT_BYTES } from '#ingest/decode/threads/decode-slots.ts';
import { MAX_DECODING_THREADS, THREAD_HEAP_MEGABYTES } from '#ingest/threads/thread-limits.ts';
import type { FileColumns, LineBatch, TableSpec } from '#logs/log-store.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { releaseBytes } from '#runtime/release-bytes.ts';
import { Slots } from '#runtime/slots.ts';
import { WorkerPool, WorkerThread } from '#runtime/threads.ts';
import { workerFile } from '#runtime/worker-file.ts';
import { BodyRefused, type Decoded, type SenderRequest } from '#senders/decoded.ts';
import type { Sender } from '#senders/sender.ts';
import type { RefusedBody, SenderAnswer, SenderOrder } from './sender-message.ts';

/** Bodies that a thread decodes in turns: a small one does not wait for a large one, and their records fit into memory. */
const MAX_ORDERS = 2;
/** So few bytes are decoded in less time than a thread takes to wake. */
const MAX_BYTES_AT_ONCE = 32 * 1024;
/** Of records that so few bytes may stand for; a body with more is decoded in a thread. */
const MAX_RECORD_BYTES_AT_ONCE = 512 * 1024;

/** The table that the records of a body go to, as far as that can be known before it is decoded. */
export interface ForeseenTable {
  readonly table: TableSpec;
  /** What its records name it. */
  readonly name: string | undefined;
}

interface SentBody {
  readonly request: SenderRequest;
  readonly account: string;
  readonly foreseen?: ForeseenTable | undefined;
  readonly gone: AbortSignal;
}

/** Its memory is used again when it is disposed of: no part of it may be read after that. */
export interface DecodedBody<Facts> extends Disposable {
  readonly decoded: Decoded<Facts>;
  /** All records, for the table that was foreseen; undefined where their lines are to be read. */
  readonly batch: LineBatch | undefined;
}

interface SenderThreadsDeps {
  /** See `LogStore`. */
  fileColumns(table: TableSpec): Promise<FileColumns | undefined>;
}

export class SenderThreads {
  readonly #deps: SenderThreadsDeps;
  readonly #permits = ordersAtOnce(MAX_DECODING_THREADS * MAX_ORDERS);
  readonly #slots = new DecodeSlots();
  readonly #threads = new WorkerPool({ start: () => new SenderThread(), max: MAX_DECODING_THREADS });

  constructor(deps: SenderThreadsDeps) {
    this.#deps = deps;
  }

  /** The body is not to be read afterwards: a thread may have its memory. Throws BodyRefused. Rejects when the client has gone. */
  async decode<Facts>(sender: Sender<Facts>, body: Buffer, sent: SentBody): Promise<DecodedBody<Facts>> {
    const { request, account, foreseen, gone } = sent;
    const small = body.length > MAX_BYTES_AT_ONCE ? undefined : await decodeAtOnce(sender, body, request);
    if (small) return decodedBody(small);
    const columns = foreseen && (await this.#deps.fileColumns(foreseen.table));
    using _ = await this.#permits.acquire({ key: account, signal: gone });
    const thread = this.#threads.next();
    const order = { sender: sender.name, request };
    if (!foreseen || body.length > MAX_SLOT_BYTES) {
      const handed = ownMemory(body);
      const answer = await thread.ask({ ...order, body: handed }, { handedOver: [handed.buffer], gone });
      return decodedBody(decodedIn<Facts>(answer));
    }
    const slot = this.#slots.take();
    const { length } = body;
    slot.file.set(body);
    releaseBytes(body);
    // The slot of an order that fails is never used again: a thread may still write to it.
    const inSlot = { foreseen, slot, columns, gone };
    const { answer, batch } = await thread.askInSlot({ ...order, body: length }, inSlot);
    const release = () => this.#slots.release(slot);
    if (!('decoded' in answer)) release();
    return decodedBody(decodedIn<Facts>(answer), { batch, release });
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

/** An account with many orders has half of them at most; the others wait without hindering those of other accounts. */
export const ordersAtOnce = (total: number): Slots => new Slots({ total, perKey: Math.max(1, Math.floor(total / 2)) });

interface InSlot {
  readonly foreseen: ForeseenTable;
  readonly slot: DecodeSlot;
  readonly columns: FileColumns | undefined;
  readonly gone: AbortSignal;
}

class SenderThread extends WorkerThread<SenderOrder, SenderAnswer> {
  readonly #sources = new KnownSources();

  constructor() {
    super({ file: workerFile('./sender-worker.ts', import.meta.url), heapMegabytes: THREAD_HEAP_MEGABYTES });
  }

  async askInSlot(
    order: SenderOrder,
    { foreseen, slot, columns, gone }: InSlot,
  ): Promise<{ answer: SenderAnswer; batch?: LineBatch | undefined }> {
    const { arrival, limits } = order.request;
    const source = `${order.sender} ${foreseen.table.id}`;
    const batch = this.#sources.orderFor(source, columns);
    const filing = { ...batch, memory: slot.memory, source, name: foreseen.name };
    const answer = await this.ask({ ...order, filing }, { gone });
    if (!('decoded' in answer && answer.batch)) return { answer };
    const [length = 0] = answer.decoded.groups.map(({ lines }) => lines.length);
    const bytes = slot.lines.subarray(0, length);
    const lineLimits = { lineBytes: limits.lineBytes, lines: limits.items, reported: 0 };
    const lines = { bytes, arrival, limits: lineLimits, slot, columns };
    return { answer, batch: this.#sources.batchOf(source, answer.batch, lines) };
  }
}

function decodedIn<Facts>(answer: SenderAnswer): Decoded<Facts> {
  if ('decoded' in answer) return answer.decoded as Decoded<Facts>; // The decoder of the same sender made them.
  throw 'refused' in answer ? refusedBy(answer.refused) : answer.failure;
}

const decodedBody = <Facts>(
  decoded: Decoded<Facts>,
  { batch, release = () => {} }: { batch?: LineBatch | undefined; release?: () => void } = {},
): DecodedBody<Facts> => ({ decoded, batch, [Symbol.dispose]: release });

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

/** A large body has memory of its own, a copy of which would hold the main thread; that of others is shared. */
function ownMemory(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = body;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === body.length) return new Uint8Array(buffer);
  const copy = new Uint8Array(body.length);
  copy.set(body);
  return copy;
}

function refusedBy({ fault, item, detail }: RefusedBody): BodyRefused {
  return new BodyRefused(fault, { detail, ...(item === undefined ? {} : { item }) });
}
