// Answers that must be the same: a quick wrong answer is an error.

import { isDeepStrictEqual } from 'node:util';

export function requireSame(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`.slice(0, 2000));
}
