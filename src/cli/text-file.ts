// Reads a file that the person at the keyboard has named, and says so when that does not work.

import { readFileSync } from 'node:fs';
import { Mistake } from '#kernel/mistake.ts';
import { codeOf } from './failure.ts';

export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT') throw new Mistake('no-such-file', { path }, { cause });
    throw new Mistake('cannot-read', { path, code }, { cause });
  }
}
