// Public keys as texts: how they are published, stored and compared.

import { createPublicKey, hash, type KeyObject } from 'node:crypto';

/** The public key as it is published: SPKI in base64. Takes either half of a pair. */
export const publicKeyText = (key: KeyObject): string =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' }).toString('base64');

/** The fingerprint by which people compare keys: the beginning of the SHA-256 of the published public key. */
export const fingerprintOf = (publicKey: string): string =>
  hash('sha256', Buffer.from(publicKey, 'base64'), 'hex').slice(0, 32);

/** The inverse of `publicKeyText`; undefined for a text that is not a public key. */
export function publicKeyOf(text: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
