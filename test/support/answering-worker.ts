// A worker thread for the tests of #runtime/threads.ts: each order makes it do something else.

import { answerOrders } from '#runtime/answer-orders.ts';
import { occupyThread } from './processor-time.ts';

const SPINS = 200;

answerOrders<string | Uint8Array<ArrayBuffer>, unknown, number>({
  async answer(order, { run, report }) {
    if (typeof order !== 'string') return order.map((byte) => byte + 1);
    if (order === 'fail') throw new Error('not possible');
    if (order === 'hang') return await new Promise(() => undefined);
    if (order === 'exit') process.exit(1);
    if (order === 'spin') return await run(spin());
    if (order === 'memory') return fill();
    if (order !== 'count') return order;
    for (let part = 0; part < 3; part += 1) report(part);
    return 3;
  },
  handedOver: (answer) => (answer instanceof Uint8Array && answer.buffer instanceof ArrayBuffer ? [answer.buffer] : []),
});

/** Many slices, so that other orders come between them. */
function* spin(): Generator<undefined, string> {
  for (let part = 0; part < SPINS; part += 1) {
    occupyThread(1);
    yield;
  }
  return 'done';
}

function fill(): never {
  const kept: object[] = [];
  for (;;) kept.push(Array.from({ length: 1000 }, (_, at) => ({ at })));
}
