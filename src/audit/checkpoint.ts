// A checkpoint is the signed statement that the log up to an entry had this hash and this Merkle root. The signing
// key lives in the keys folder, so whoever can write to the database alone cannot make one.

import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
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

function signedText({ id, hash, root, created_at }: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(canonicalJson({ id, hash, root, created_at }));
}
