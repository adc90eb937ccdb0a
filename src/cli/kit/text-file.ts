// Reads a file that the person at the keyboard has named, and says so when that does not work.

import { readFileSync } from 'node:fs';
import { UsageError } from '#kernel/usage-error.ts';
import { codeOf } from './failure.ts';

export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT') throw new UsageError('no-such-file', { path }, { cause });
    throw new UsageError('cannot-read', { path, code }, { cause });
  }
}
