// The master secret: 32 random bytes in a file of the keys folder, which wrap the keys of all crypto profiles. Whoever
// has the database and the data folder but not this file has nothing.

import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flushedSync, madeFolderSync } from '#files/durable.ts';

const SECRET_BYTES = 32;

export const masterSecretFile = (folder: string): string => join(folder, 'master-secret');

/** `wrong` when there is something else in its place, or it cannot be read. */
export function readMasterSecret(folder: string): KeyObject | 'missing' | 'wrong' {
  const file = masterSecretFile(folder);
  if (!existsSync(file)) return 'missing';
  try {
    const bytes = readFileSync(file);
    return bytes.length === SECRET_BYTES ? createSecretKey(bytes) : 'wrong';
  } catch {
    return 'wrong';
  }
}

/** Durable when it returns: what is wrapped by it may be committed right after. Never overwrites one. */
export function makeMasterSecret(folder: string): KeyObject {
  madeFolderSync(folder);
  const bytes = randomBytes(SECRET_BYTES);
  const made = join(folder, `master-secret.${randomBytes(4).toString('hex')}`);
  writeFileSync(made, bytes, { flag: 'wx', mode: 0o600, flush: true });
  try {
    // It gets its name as a whole: one that a crash cut off would be taken for a wrong one ever after.
    linkSync(made, masterSecretFile(folder));
  } finally {
    rmSync(made);
  }
  flushedSync(folder);
  return createSecretKey(bytes);
}
