// The audit trail's own secrets and its witness, in the keys folder: outside the data folder, readable by us alone.

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const signingKeyFile = (folder: string): string => join(folder, 'audit-signing-key.pem');

/** Makes the folder (0700) and the signing key (0600) at first use. */
export function openSigningKey(folder: string): KeyObject {
  const file = signingKeyFile(folder);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  }
  return createPrivateKey(readFileSync(file));
}

/** One witness per installation: several services of one user may share a keys folder. */
export const witnessFile = (folder: string, installation: string): string =>
  join(folder, `audit-witness-${installation}.ndjson`);
