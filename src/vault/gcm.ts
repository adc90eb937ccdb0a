// AES-GCM over larger pieces, in the threads of Node's pool: the event loop goes on meanwhile.

import { type KeyObject, webcrypto } from 'node:crypto';
import { TAG_BYTES } from './box.ts';

export type DataKey = webcrypto.CryptoKey;

export const dataKeyOf = (key: KeyObject): DataKey =>
  key.toCryptoKey({ name: 'AES-GCM' }, false, ['encrypt', 'decrypt']);

/** The ciphertext with its tag behind it. A nonce is used once under a key. */
export async function encrypted(key: DataKey, nonce: Buffer, content: Buffer, label: Buffer): Promise<Buffer> {
  return Buffer.from(await webcrypto.subtle.encrypt(withNonce(nonce, label), key, owned(content)));
}

/** Undefined when the key, the nonce, the label or a byte is another one. */
export async function decrypted(
  key: DataKey,
  nonce: Buffer,
  ciphertext: Buffer,
  label: Buffer,
): Promise<Buffer | undefined> {
  if (ciphertext.length < TAG_BYTES) return undefined;
  try {
    return Buffer.from(await webcrypto.subtle.decrypt(withNonce(nonce, label), key, owned(ciphertext)));
  } catch (error) {
    // The only name it has for what does not fit.
    if (error instanceof Error && error.name === 'OperationError') return undefined;
    throw error;
  }
}

const withNonce = (nonce: Buffer, label: Buffer) => ({
  name: 'AES-GCM',
  iv: owned(nonce),
  additionalData: owned(label),
  tagLength: 8 * TAG_BYTES,
});

/** Our buffers are never shared between threads, which their type does not say. */
const owned = (bytes: Buffer): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;
