// Streaming of rows to a request.

import type { RowText } from '#engines/plan-run.ts';
import type { LiveQuery } from './live-query.ts';

type Block = readonly RowText[];

/**
 * The same rows, once the first are available. Not a generator: a generator that never started would not pass on `return`.
 * A query that is cancelled between two reads stops at once, and its rows must not look complete.
 */
export async function awaitFirstRows(
  query: LiveQuery,
  rows: AsyncGenerator<Block, void>,
): Promise<AsyncIterable<Block>> {
  // The query is cancelled already; a further error has no reader.
  query.signal.addEventListener('abort', () => void rows.return().catch(() => undefined));
  const next = async () => {
    const result = await rows.next();
    if (result.done && query.cancellation) throw query.cancellation.thrown;
    return result;
  };
  let first = await next();
  while (!first.done && first.value.length === 0) first = await next();
  let isFirst = true;
  const iterator = {
    async next() {
      if (!isFirst) return await next();
      isFirst = false;
      return first;
    },
    return: () => rows.return(),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
