// A worker thread for previews of parsers. A preview arrives as several messages; the answer to the last one has the results.

import { answerOrders } from '#runtime/answer-orders.ts';
import { Preview, type PreviewAnswer, type PreviewInput } from './preview.ts';

const preview = new Preview();

answerOrders<PreviewInput, PreviewAnswer>({ answer: (piece) => preview.take(piece) });
