// Recognises the errors by which DuckDB and the filesystem report that memory or disk is exhausted.

import { Exhausted } from '#logs/log-store.ts';
import { isSizeError } from '#query/values/failures.ts';

export const isExhausted = (error: unknown): boolean =>
  error instanceof Error &&
  (/^Out of Memory Error|No space left on device/i.test(error.message) || isSizeError(error.message));

/** Rejects with `Exhausted` where the error of DuckDB says so. */
export async function orExhausted<T>(work: Promise<T>, { isApart }: { isApart: boolean }): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isExhausted(error) ? exhausted(error, { isApart }) : error;
  }
}

/** A run that was isolated already cannot be moved again. */
export function exhausted(cause: unknown, { isApart }: { isApart: boolean }): Exhausted {
  const text = cause instanceof Error ? cause.message : '';
  const resource = /max_temp_directory_size|No space left on device/i.test(text) ? 'disk' : 'memory';
  return new Exhausted('memory or disk is exhausted', {
    cause,
    resource,
    isMovable: !isApart && !isSizeError(text),
  });
}
