// A thread that works on rows for the local evaluator. It is given a task, then batches of rows, and answers each message with one of its
// own: the cost of a row is borne by its query alone.

import { FileFailure } from '#query/local/file-failures.ts';
import type { WebRequest } from '#query/plan-nodes/shared/web.ts';
import { RunFailure } from '#query/values/failures.ts';
import { answerOrders } from '#runtime/answer-orders.ts';
import { type LocalBatch, type LocalOutput, LocalWork } from './local-work.ts';

export type LocalMessage =
  | { readonly task: unknown }
  | { readonly batch: LocalBatch }
  /** Rows of which the requests are asked for. */
  | { readonly asking: readonly string[] }
  /** More of the same batch. */
  | 'more';

export type LocalAnswer =
  | 'begun'
  | { readonly output: LocalOutput }
  | { readonly requests: readonly WebRequest[] }
  | {
      readonly failure: {
        readonly message: string;
        readonly run?: Pick<RunFailure, 'code' | 'most'>;
        readonly file?: Pick<FileFailure, 'code' | 'size'>;
      };
    };

let work: LocalWork | undefined;

answerOrders<LocalMessage, LocalAnswer>({
  answer: answered,
  handedOver(answer) {
    const made = typeof answer === 'object' && 'output' in answer ? answer.output.made : [];
    return 'lines' in made ? [made.lines.buffer] : [];
  },
});

function answered(message: LocalMessage): LocalAnswer {
  try {
    if (typeof message === 'object' && 'task' in message) {
      work = new LocalWork(message.task);
      return 'begun';
    }
    if (!work) throw new Error('there is no task');
    if (typeof message === 'object' && 'asking' in message) return { requests: work.requests(message.asking) };
    if (typeof message === 'object') work.begin(message.batch);
    return { output: work.next() };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const run = error instanceof RunFailure ? { run: { code: error.code, most: error.most } } : {};
    const file = error instanceof FileFailure ? { file: { code: error.code, size: error.size } } : {};
    return { failure: { message: text, ...run, ...file } };
  }
}
