// Signatures of checkpoints, checked by the browser itself.

import type { AnswerFor } from '#client/call.ts';

export type Checkpoint = AnswerFor<'GET /api/core/audit-logs/proof'>['checkpoints'][number];

/** True where the signature fits the key; undefined where this browser cannot tell. */
export async function hasValidSignature(checkpoint: Checkpoint, publicKey: string): Promise<boolean | undefined> {
  try {
    const key = await crypto.subtle.importKey('spki', bytesOfPem(publicKey), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, bytesOf(checkpoint.signature), signedBytes(checkpoint));
  } catch {
    // Without a secure context there is no `subtle`, and older browsers do not know the algorithm.
    return undefined;
  }
}

/** The canonical JSON that is signed: names in their order, no blanks. */
const signedBytes = ({ created_at, hash, id, root }: Checkpoint): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify({ created_at, hash, id, root }));

/** As `vigil key renew-audit` prints it. */
const FINGERPRINT_DIGITS = 32;

/** Undefined where this browser cannot tell. */
export async function fingerprintOf(publicKey: string): Promise<string | undefined> {
  try {
    const digest = await crypto.subtle.digest('SHA-256', bytesOfPem(publicKey));
    const text = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return text.slice(0, FINGERPRINT_DIGITS);
  } catch {
    return undefined;
  }
}

const bytesOfPem = (pem: string): Uint8Array<ArrayBuffer> => bytesOf(pem.replace(/-----[^-]+-----|\s/g, ''));

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
