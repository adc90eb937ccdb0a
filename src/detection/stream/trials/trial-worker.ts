// A worker thread for trials of rules. A trial arrives as several messages; the last one is answered with results as they are found,
// and finally with the rules that could not be compiled. The query language is loaded before the thread is ready.

import { answerOrders } from '#runtime/answer-orders.ts';
import { Trial, type TrialAnswer, type TrialInput } from './trial.ts';

const trial = new Trial();

answerOrders<TrialInput, void, TrialAnswer>({
  answer(piece, { report }) {
    for (const answer of trial.take(piece)) report(answer);
  },
});
