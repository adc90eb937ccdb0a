// Answers that must be the same: a quick wrong answer is an error.

import { isDeepStrictEqual } from 'node:util';

export function requireSame(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  if (Array.isArray(found) && Array.isArray(expected) && found.length === expected.length) {
    const at = found.findIndex((one, index) => !isDeepStrictEqual(one, expected[index]));
    requireSame(`${what}, entry ${at}`, found[at], expected[at]);
  }
  throw new Error(`${what}: ${shown(found)} instead of ${shown(expected)}`);
}

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 1000);
