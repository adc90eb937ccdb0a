// A checkpoint is the signed statement that the log up to an entry had this hash and this Merkle root. The signing key
// lives in the keys folder, so write access to the database is not enough to forge one.

import { type KeyObject, sign, verify } from 'node:crypto';
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

function signedText({ id, hash, root, created_at }: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(canonicalJson({ id, hash, root, created_at }));
}
