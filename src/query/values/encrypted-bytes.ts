// Encrypts bytes by AES-GCM: a nonce of 12 bytes, the ciphertext, and a tag of 16 bytes.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Value } from '#query/model/values.ts';

const NONCE = 12;
const TAG = 16;
const KEY_SIZES = [16, 24, 32];

/** Bytes with the size of a key are used as the key, a text is hashed to 256 bits. Null for any other value. */
export function keyOf(given: Value): Uint8Array | null {
  if (given instanceof Uint8Array) return KEY_SIZES.includes(given.length) ? given : null;
  return typeof given === 'string' && given !== '' ? createHash('sha256').update(given).digest() : null;
}

const algorithmOf = (key: Uint8Array): 'aes-256-gcm' => `aes-${key.length * 8}-gcm` as 'aes-256-gcm'; // The types of node:crypto name each mode.

export function encrypted(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(algorithmOf(key), key, nonce);
  return new Uint8Array(Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]));
}

/** Null if the key is another one or the bytes were changed. */
export function decrypted(key: Uint8Array, bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < NONCE + TAG) return null;
  const decipher = createDecipheriv(algorithmOf(key), key, bytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAuthTag(bytes.subarray(-TAG));
  try {
    return new Uint8Array(Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]));
  } catch {
    return null;
  }
}
