// Streaming of rows to a request.

import type { Page, RowText } from '#logs/run.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { connectionLost, queryEndOf } from '#queries/status/query-ends.ts';

type Block = readonly RowText[];

export interface StreamOptions {
  readonly page: Page | undefined;
  /** Aborted when the consumer has disconnected. */
  readonly gone: AbortSignal;
  /** Puts the query on record; called when it has rows, or has ended without any. Where it fails, the query fails. */
  record(): Promise<void>;
}

/** The same work, however often it is called. */
function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}

/**
 * The rows of a run, once the first are available and the query is on record. Not a generator: a generator that never started
 * would not pass on `return`. A query that is cancelled between two reads stops at once, and its rows must not look complete.
 */
export async function awaitFirstRows(
  query: LiveQuery,
  record: StreamOptions['record'],
  run: (record: () => Promise<void>) => AsyncGenerator<Block, void>,
): Promise<AsyncIterable<Block>> {
  const recordOnce = onlyOnce(record);
  const rows = run(recordOnce);
  // The query is cancelled already; a further error has no reader.
  query.signal.addEventListener('abort', () => void rows.return().catch(() => undefined));
  const next = async () => {
    const result = await rows.next();
    if (result.done && query.cancellation) throw query.cancellation.thrown;
    return result;
  };
  let first = await next();
  while (!first.done && first.value.length === 0) first = await next();
  const read = [Promise.resolve(first)];
  // While the record is flushed, the query goes on by one block.
  if (!first.done) read.push(next());
  for (const block of read) block.catch(() => undefined);
  await recordOnce().catch((error) => {
    const { text, caller } = query.request;
    query.cancel(queryEndOf(error, text, caller.locale));
    throw error;
  });
  const iterator = {
    next: () => read.shift() ?? next(),
    return() {
      query.cancel(connectionLost());
      return rows.return();
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
