// A thread that decodes the bodies of senders, see sender-threads.ts. Orders take turns, so that none waits long for another.

import { parentPort } from 'node:worker_threads';
import { eventLoop } from '#kernel/event-loop.ts';
import { BodyRefused, type Decoded } from './decoded.ts';
import type { SenderAnswer, SenderOrder } from './sender-message.ts';
import { senderNamed } from './senders.ts';

parentPort?.on('message', async (order: SenderOrder) => {
  const answer = await answerTo(order);
  parentPort?.postMessage(answer, 'decoded' in answer ? buffersOf(answer.decoded) : []);
});

async function answerTo({ id, sender, body, request }: SenderOrder): Promise<SenderAnswer> {
  try {
    const work = senderNamed(sender).decode(Buffer.from(body.buffer, body.byteOffset, body.length), request);
    return { id, decoded: await eventLoop.runInSlots(work) };
  } catch (error) {
    if (error instanceof BodyRefused) {
      return { id, refused: { fault: error.fault, item: error.item, detail: error.message } };
    }
    return { id, failure: new Error('not decoded', { cause: error }) };
  }
}

/** Facts are copied: they are small, and may share memory. */
const buffersOf = ({ groups, fates }: Decoded): ArrayBuffer[] => [
  ...new Set([fates.buffer, ...groups.map(({ lines }) => lines.buffer)]),
];
