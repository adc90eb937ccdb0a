// A checkpoint is the signed statement that the log up to an entry had this hash and this Merkle root. The signing
// key lives in the keys folder, so whoever can write to the database alone cannot make one.

import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from '#kernel/canonical-json.ts';

export interface Checkpoint {
  readonly id: number;
  readonly hash: string;
  readonly root: string;
  readonly created_at: number;
  readonly signature: string;
}

export const ALGORITHM = 'Ed25519';

export function signCheckpoint(content: Omit<Checkpoint, 'signature'>, key: KeyObject): Checkpoint {
  return { ...content, signature: sign(null, signedText(content), key).toString('base64') };
}

export function isSignedBy(checkpoint: Checkpoint, publicKey: KeyObject): boolean {
  return verify(null, signedText(checkpoint), publicKey, Buffer.from(checkpoint.signature, 'base64'));
}

/** The public half as it is published: SPKI in base64. */
export const publicKeyText = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');

/** What people compare keys by: the beginning of the SHA-256 of the public half as it is published. */
export const fingerprintOf = (publicKey: string): string =>
  hash('sha256', Buffer.from(publicKey, 'base64'), 'hex').slice(0, 32);

/** The inverse of `publicKeyText`; undefined for what is no public key. */
export function publicKeyOf(text: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function signedText({ id, hash, root, created_at }: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(canonicalJson({ id, hash, root, created_at }));
}
