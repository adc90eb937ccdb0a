// The audit trail's own secrets and its witness, in the keys folder: outside the data folder, readable by us alone.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnceSync } from '#files/write-once.ts';

export const signingKeyFile = (folder: string): string => join(folder, 'audit-signing-key.pem');

/** Makes the folder (0700) and the signing key (0600) at first use. */
export function openSigningKey(folder: string): KeyObject {
  const file = signingKeyFile(folder);
  if (!existsSync(file)) makeSigningKey(file);
  return createPrivateKey(readFileSync(file));
}

/** A new key in a file that must not exist yet. */
export function makeSigningKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeOnceSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return privateKey;
}

/** One witness per installation: several services of one user may share a keys folder. */
export const witnessFile = (folder: string, installation: string): string =>
  join(folder, `audit-witness-${installation}.ndjson`);

/** Of whatever installation. */
export const isWitnessFile = (name: string): boolean => name.startsWith('audit-witness-') && name.endsWith('.ndjson');
