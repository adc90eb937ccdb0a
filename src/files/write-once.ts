// A small file that gets its name as a whole and is durable then: what relies on it may be committed right after.

import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fsyncSync, makeFolderSync } from './durable.ts';

/** Makes the folder (0700) and the file (0600). Throws EEXIST where the file exists: it is never overwritten. */
export function writeOnceSync(file: string, content: string | Uint8Array): void {
  const folder = dirname(file);
  makeFolderSync(folder);
  const made = join(folder, `${basename(file)}.${randomBytes(4).toString('hex')}`);
  writeFileSync(made, content, { flag: 'wx', mode: 0o600, flush: true });
  try {
    // One that a crash cut off would be taken for a wrong one ever after.
    linkSync(made, file);
  } finally {
    rmSync(made);
  }
  fsyncSync(folder);
}
