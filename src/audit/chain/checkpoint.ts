// A checkpoint is the signed statement that the log up to an entry had this hash and this Merkle root. The signing key
// lives in the keys folder, so write access to the database is not enough to forge one.

import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from '#kernel/json/canonical-json.ts';
import type { Row } from '#store/connection.ts';

export interface Checkpoint {
  readonly id: number;
  readonly hash: string;
  readonly root: string;
  readonly created_at: number;
  readonly signature: string;
}

export const ALGORITHM = 'Ed25519';

/** From a row of `audit_checkpoints`. */
export const checkpointOfRow = (row: Row): Checkpoint => ({
  id: Number(row.id),
  hash: String(row.hash),
  root: String(row.root),
  created_at: Number(row.created_at),
  signature: String(row.signature),
});

export function signCheckpoint(content: Omit<Checkpoint, 'signature'>, key: KeyObject): Checkpoint {
  return { ...content, signature: sign(null, signedText(content), key).toString('base64') };
}

export function isSignedBy(checkpoint: Checkpoint, publicKey: KeyObject): boolean {
  return verify(null, signedText(checkpoint), publicKey, Buffer.from(checkpoint.signature, 'base64'));
}

/** The public key as it is published: SPKI in base64. Of either half of a pair. */
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

function signedText({ id, hash, root, created_at }: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(canonicalJson({ id, hash, root, created_at }));
}
