// How DuckDB, and the files it writes to, say that there is no memory or no room left.

import { Exhausted } from '#engines/engine.ts';
import { isOfSize } from '#query/values/failures.ts';

export const isExhausted = (error: unknown): boolean =>
  error instanceof Error &&
  (/^Out of Memory Error|No space left on device/i.test(error.message) || isOfSize(error.message));

/** Of work that says so in the words of DuckDB. */
export async function orExhausted<T>(work: Promise<T>, { isApart }: { isApart: boolean }): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isExhausted(error) ? exhausted(error, { isApart }) : error;
  }
}

/** What is said of it: a run that was alone already has nowhere else to go. */
export function exhausted(cause: unknown, { isApart }: { isApart: boolean }): Exhausted {
  const text = cause instanceof Error ? cause.message : '';
  const resource = /max_temp_directory_size|No space left on device/i.test(text) ? 'disk' : 'memory';
  return new Exhausted('memory or disk is exhausted', {
    cause,
    resource,
    isMovable: !isApart && !isOfSize(text),
  });
}
