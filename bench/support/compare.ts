// Time taken, and answers that must be the same: a quick wrong answer is an error.

import { isDeepStrictEqual } from 'node:util';

export interface Timed<T> {
  readonly value: T;
  readonly milliseconds: number;
}

export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const begun = performance.now();
  const value = await work();
  return { value, milliseconds: performance.now() - begun };
}

export function requireSame(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`.slice(0, 2000));
}
