// A thread that decodes the bodies of senders, see sender-threads.ts.

import { answerOrders } from '#ingest/order-worker.ts';
import { BodyRefused, type Decoded } from './decoded.ts';
import type { SenderAnswer, SenderOrder } from './sender-message.ts';
import { senderNamed } from './senders.ts';

answerOrders<SenderOrder, SenderAnswer>({
  async answerTo({ id, sender, body, request }, run) {
    try {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
      return { id, decoded: await run(senderNamed(sender).decode(bytes, request)) };
    } catch (error) {
      if (error instanceof BodyRefused) {
        return { id, refused: { fault: error.fault, item: error.item, detail: error.message } };
      }
      return { id, failure: new Error('not decoded', { cause: error }) };
    }
  },
  handedOver: (answer) => ('decoded' in answer ? buffersOf(answer.decoded) : []),
});

/** Facts are copied: they are small, and may share memory. */
const buffersOf = ({ groups, fates }: Decoded): ArrayBuffer[] => [
  ...new Set([fates.buffer, ...groups.flatMap(({ lines, ends, items }) => [lines.buffer, ends.buffer, items.buffer])]),
];
