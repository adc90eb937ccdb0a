// Rows with the answers of hosts (8.2, wget). A thread reads the requests of some rows; a few requests are under way at once,
// and rows go on in their order, each as soon as its answer is there.

import type { RequestSender } from '#query/plan-nodes/effect.ts';
import type { WebAnswer, WebRequest } from '#query/plan-nodes/shared/web.ts';
import type { LocalThread } from './local-threads.ts';
import type { AnsweredBatch } from './local-work.ts';

interface AnsweredRowsDeps {
  readonly sender: RequestSender;
  readonly signal: AbortSignal;
  readonly thread: LocalThread;
}

/** Rows whose requests are read together. */
const MAX_ASKING_ROWS = 64;
/** Requests of a command that are under way or wait for the row before. Each may hold an answer of 16 MiB. */
const MAX_UNDER_WAY = 4;

export async function* answeredRows(texts: readonly string[], deps: AnsweredRowsDeps): AsyncGenerator<AnsweredBatch> {
  for (let from = 0; from < texts.length; from += MAX_ASKING_ROWS) {
    const some = texts.slice(from, from + MAX_ASKING_ROWS);
    const requests = await deps.thread.requests(some);
    let count = 0;
    for await (const answer of inOrder(requests, deps)) {
      yield { texts: some.slice(count, count + 1), answers: [answer] };
      count += 1;
    }
  }
}

/** Requests that are under way are given up where no further answer is taken. */
async function* inOrder(
  requests: readonly WebRequest[],
  { sender, signal }: AnsweredRowsDeps,
): AsyncGenerator<WebAnswer> {
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const underWay: Promise<WebAnswer>[] = [];
  let next = 0;
  try {
    while (next < requests.length || underWay.length > 0) {
      while (next < requests.length && underWay.length < MAX_UNDER_WAY) {
        const sending = sender.send(requests[next] ?? 'malformed-url', both);
        // The await below rejects.
        sending.catch(() => undefined);
        underWay.push(sending);
        next += 1;
      }
      const first = underWay.shift();
      if (first) yield await first;
    }
  } finally {
    over.abort(new Error('no further answer is taken'));
  }
}
