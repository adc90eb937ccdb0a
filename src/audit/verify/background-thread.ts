// The thread of the verification after a start.

import { publicKeyOf } from '#kernel/public-key.ts';
import { answerOrders } from '#runtime/answer-orders.ts';
import type { BackgroundSubject } from './background.ts';
import type { Verdict } from './verdict.ts';
import { verifyDatabase } from './verify-database.ts';

answerOrders<BackgroundSubject, Verdict>({
  async answer({ location, witness, publicKey: text }) {
    const publicKey = publicKeyOf(text);
    if (!publicKey) throw new Error('the public audit key is malformed');
    return await verifyDatabase(location, { publicKey, witnesses: [witness], needsWitness: true });
  },
});
