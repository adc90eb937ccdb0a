// The rows of a query on their way to the one who waits for them.

import type { RowText } from '#engines/plan-run.ts';
import type { LiveQuery } from './live-query.ts';

type Block = readonly RowText[];

/**
 * The same rows, once the first are there. No generator: one that was never begun would not pass on that nobody wants
 * its rows any longer. And a query that is stopped while nobody reads must stop at once, and yet not look complete.
 */
export async function awaitFirstRows(
  query: LiveQuery,
  rows: AsyncGenerator<Block, void>,
): Promise<AsyncIterable<Block>> {
  // Why it fails then does not matter any more.
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
