// Reads a file that an argument names; a file that cannot be read is a UsageError.

import { readFileSync } from 'node:fs';
import { codeOf } from '#cli/kit/failures/failure.ts';
import { UsageError } from '#kernel/usage-error.ts';

/** In place of the name of a file. */
export const STANDARD_INPUT = '-';

export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT') throw new UsageError('no-such-file', { path }, { cause });
    throw new UsageError('cannot-read', { path, code }, { cause });
  }
}
