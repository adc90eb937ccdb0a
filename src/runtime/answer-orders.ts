// The side of a worker thread that answers orders, see threads.ts. Orders take turns, so that none waits long for another.

import { parentPort } from 'node:worker_threads';
import type { SlicedWork } from '#kernel/sliced-work.ts';
import { eventLoop } from './event-loop.ts';
import type { FromWorker, ToWorker } from './threads.ts';

export interface OrderContext<Part> {
  /** Does work in turns with other orders; throws when the answer is no longer wanted. */
  run<T>(work: SlicedWork<T>): Promise<T>;
  /** Reports something before the answer. */
  report(part: Part): void;
}

export interface Answering<Order, Answer, Part> {
  /** An error that it throws crosses the threads as a plain Error: its class is lost. */
  answer(order: Order, context: OrderContext<Part>): Answer | Promise<Answer>;
  /** Memory that is moved with an answer instead of being copied. */
  handedOver?(answer: Answer): ArrayBuffer[];
}

export function answerOrders<Order, Answer, Part = never>(answering: Answering<Order, Answer, Part>): void {
  const { answer, handedOver = () => [] } = answering;
  const wanted = new Set<number>();
  const post = (message: FromWorker<Answer, Part>, moved: ArrayBuffer[] = []) =>
    parentPort?.postMessage(message, moved);
  parentPort?.on('message', async (message: ToWorker<Order>) => {
    if ('cancelled' in message) {
      wanted.delete(message.cancelled);
      return;
    }
    const { id, order } = message;
    wanted.add(id);
    try {
      const made = await answer(order, {
        run: (work) => eventLoop.runInSlots(whileWanted(work, () => wanted.has(id))),
        report: (part) => post({ id, part }),
      });
      if (wanted.delete(id)) post({ id, answer: made }, handedOver(made));
    } catch (error) {
      if (wanted.delete(id)) post({ id, error });
    }
  });
  post('ready');
}

function* whileWanted<T>(work: SlicedWork<T>, isWanted: () => boolean): SlicedWork<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (!isWanted()) throw new Error('the order was cancelled');
    yield;
  }
}
