// The side of a thread that answers orders, see order-threads.ts. Orders take turns, so that none waits long for another.

import { parentPort } from 'node:worker_threads';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { eventLoop } from '#runtime/event-loop.ts';

/** The answer is no longer wanted. */
export interface CancelledOrder {
  readonly cancelled: number;
}

interface Answering<Order, Answer> {
  /** Never rejects. `run` does work in turns with other orders, and throws when the answer is no longer wanted. */
  answerTo(order: Order, run: <T>(work: SlicedWork<T>) => Promise<T>): Promise<Answer>;
  /** Memory that is handed over with an answer. */
  handedOver(answer: Answer): ArrayBuffer[];
}

export function answerOrders<Order extends { readonly id: number }, Answer>({
  answerTo,
  handedOver,
}: Answering<Order, Answer>): void {
  const wanted = new Set<number>();
  parentPort?.on('message', async (message: Order | CancelledOrder) => {
    if ('cancelled' in message) {
      wanted.delete(message.cancelled);
      return;
    }
    const { id } = message;
    wanted.add(id);
    const answer = await answerTo(message, (work) => eventLoop.runInSlots(whileWanted(work, () => wanted.has(id))));
    if (wanted.delete(id)) parentPort?.postMessage(answer, handedOver(answer));
  });
}

function* whileWanted<T>(work: SlicedWork<T>, isWanted: () => boolean): SlicedWork<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!isWanted()) throw new Error('the order was cancelled');
    yield;
  }
}
