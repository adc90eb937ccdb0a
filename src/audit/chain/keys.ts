// The signing key and the witness of the audit trail, in the keys folder: outside the data folder, readable by the
// service's user alone.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnceSync } from '#files/write-once.ts';

export const signingKeyFile = (folder: string): string => join(folder, 'audit-signing-key.pem');

/** Creates the folder (0700) and the signing key (0600) at first use. */
export function openSigningKey(folder: string): KeyObject {
  const file = signingKeyFile(folder);
  if (!existsSync(file)) makeSigningKey(file);
  return createPrivateKey(readFileSync(file));
}

/** `file` must not exist yet. */
export function makeSigningKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeOnceSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return privateKey;
}

/** One witness per installation: several services of one user may share a keys folder. */
export const witnessFile = (folder: string, installation: string): string =>
  join(folder, `audit-witness-${installation}.ndjson`);

/** Locked while a service writes to the witness. */
export const witnessLockFile = (folder: string, installation: string): string =>
  join(folder, `lock-${installation}.db`);

/** A witness of any installation. */
export const isWitnessFile = (name: string): boolean => name.startsWith('audit-witness-') && name.endsWith('.ndjson');
