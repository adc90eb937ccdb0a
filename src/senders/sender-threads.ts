// Decodes the bodies of senders: small ones at once, others in threads beside the main one.

import { MAX_THREADS, OrderThread, OrderThreads } from '#ingest/order-threads.ts';
import { eventLoop } from '#kernel/event-loop.ts';
import { workerFile } from '#kernel/worker-file.ts';
import { AccountPermits } from './account-permits.ts';
import { BodyRefused, type Decoded, type SenderRequest } from './decoded.ts';
import type { Sender } from './sender.ts';
import type { SenderAnswer, SenderOrder } from './sender-message.ts';

/** Bodies that a thread decodes in turns: a small one does not wait for a large one, and their records fit into memory. */
const MAX_ORDERS = 2;
/** So few bytes are decoded in less time than a thread takes to wake. */
const MAX_BYTES_AT_ONCE = 32 * 1024;
/** Of records that so few bytes may stand for; a body with more is decoded in a thread. */
const MAX_RECORD_BYTES_AT_ONCE = 512 * 1024;

export class SenderThreads {
  readonly #permits = new AccountPermits(MAX_THREADS * MAX_ORDERS);
  readonly #threads = new OrderThreads(
    (ended) => new OrderThread<SenderOrder, SenderAnswer>(workerFile('./sender-worker.ts', import.meta.url), ended),
  );

  /** The body is not to be read afterwards: a thread may have its memory. Throws BodyRefused. Rejects when the client has gone. */
  async decode<Facts>(
    sender: Sender<Facts>,
    body: Buffer,
    { request, account, gone }: { request: SenderRequest; account: string; gone: AbortSignal },
  ): Promise<Decoded<Facts>> {
    const small = body.length > MAX_BYTES_AT_ONCE ? undefined : await decodeAtOnce(sender, body, request);
    if (small) return small;
    using _ = await this.#permits.acquire(account, gone);
    const handed = ownMemory(body);
    const order = { sender: sender.name, body: handed, request };
    const answer = await this.#threads.next().ask(order, { handedOver: [handed.buffer], gone });
    if ('decoded' in answer) return answer.decoded as Decoded<Facts>; // The decoder of the same sender made them.
    throw 'refused' in answer ? refusedBy(answer) : answer.failure;
  }

  async close(): Promise<void> {
    await this.#threads.close();
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

/** A large body has memory of its own, a copy of which would hold the main thread; that of others is shared. */
function ownMemory(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = body;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === body.length) return new Uint8Array(buffer);
  const copy = new Uint8Array(body.length);
  copy.set(body);
  return copy;
}

function refusedBy({ refused }: Extract<SenderAnswer, { refused: object }>): BodyRefused {
  const { fault, item, detail } = refused;
  return new BodyRefused(fault, { detail, ...(item === undefined ? {} : { item }) });
}
