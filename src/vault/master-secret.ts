// The master secret: 32 random bytes in a file, by default of the keys folder, which wrap the keys of all crypto profiles. Without
// this file the database and the data folder are of no use to a thief.

import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnceSync } from '#files/write-once.ts';

const SECRET_BYTES = 32;

/** Where the secret is: nodes of one installation have keys folders of their own, and one secret. */
export interface SecretConfig {
  readonly keys: string;
  readonly 'master-secret-file'?: string;
}

export const masterSecretFile = (config: SecretConfig): string =>
  config['master-secret-file'] ?? join(config.keys, 'master-secret');

/** `wrong` when there is something else in its place, or it cannot be read. */
export function readMasterSecret(file: string): KeyObject | 'missing' | 'wrong' {
  if (!existsSync(file)) return 'missing';
  try {
    const bytes = readFileSync(file);
    return bytes.length === SECRET_BYTES ? createSecretKey(bytes) : 'wrong';
  } catch {
    return 'wrong';
  }
}

/** Durable when it returns: what is wrapped by it may be committed right after. Never overwrites one. */
export function makeMasterSecret(file: string): KeyObject {
  const bytes = randomBytes(SECRET_BYTES);
  writeOnceSync(file, bytes);
  return createSecretKey(bytes);
}

/** Tells secrets apart without telling anything about them. */
export const secretFingerprint = (secret: KeyObject): string =>
  createHmac('sha256', secret).update('vigil master secret').digest('hex').slice(0, 32);
