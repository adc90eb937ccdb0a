// How many files a process may have open, and whether it was refused one more.

import { readFileSync } from 'node:fs';

/** Where the system does not tell. */
const USUAL = 1024;

let known = USUAL;

/** It may be changed while the process runs. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    if (limit !== undefined) known = limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(limit);
  } catch {
    // The last answer stands, above all when there is no descriptor left to ask with.
  }
  return known;
}

/** Of the process or of the whole system. */
export function isOutOfDescriptors(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && (at.code === 'EMFILE' || at.code === 'ENFILE')) return true;
  }
  return false;
}
