// Encrypts bytes by AES (9.8), in the modes CBC with padding and GCM with a tag of 16 bytes.

import {
  type CipherGCM,
  type CipherGCMTypes,
  createCipheriv,
  createDecipheriv,
  type DecipherGCM,
  randomBytes,
} from 'node:crypto';
import type { Value } from '#query/model/values.ts';
import { bytesOf } from './bytes.ts';

/** The names of normalized text; each has further spellings. */
const SPELLINGS = {
  'AES/CBC/PKCS5': ['aes/cbc/pkcs5', 'aes/cbc/pkcs5padding', 'aes/cbc'],
  'AES/GCM': ['aes/gcm', 'aes/gcm/nopadding'],
} as const;
export const CIPHERS = ['AES/CBC/PKCS5', 'AES/GCM'] as const;
export type CipherName = (typeof CIPHERS)[number];

/** Without regard to case; undefined for any other cipher. */
export function cipherNamed(text: string): CipherName | undefined {
  const lower = text.toLowerCase();
  return CIPHERS.find((cipher) => SPELLINGS[cipher].some((spelling) => spelling === lower));
}

const IV_SIZES: Readonly<Record<CipherName, number>> = { 'AES/CBC/PKCS5': 16, 'AES/GCM': 12 };
const TAG = 16;
const KEY_SIZES = [16, 24, 32];

/** Bytes, or a string as UTF-8, with the size of a key; null for any other value. */
export function keyOf(given: Value): Uint8Array | null {
  const bytes = bytesOf(given);
  return bytes && KEY_SIZES.includes(bytes.length) ? bytes : null;
}

/** The arguments of encrypt() and decrypt(); the iv is undefined where none is written. */
interface Encryption {
  readonly cipher: CipherName;
  readonly key: Uint8Array;
  readonly iv: Uint8Array | undefined;
}

/** With a random iv the result begins with it. Null for an iv of another size. */
export function encrypted(data: Uint8Array, { cipher, key, iv }: Encryption): Uint8Array | null {
  const size = IV_SIZES[cipher];
  const used = iv ?? randomBytes(size);
  if (used.length !== size) return null;
  const prefix = iv ? [] : [used];
  if (cipher === 'AES/GCM') {
    const by = createCipheriv(gcm(key), key, used) satisfies CipherGCM;
    return joined([...prefix, by.update(data), by.final(), by.getAuthTag()]);
  }
  const by = createCipheriv(`aes-${key.length * 8}-cbc`, key, used);
  return joined([...prefix, by.update(data), by.final()]);
}

/** Without an iv it is read from the beginning. Null for another key, changed bytes and wrong padding. */
export function decrypted(given: Uint8Array, { cipher, key, iv }: Encryption): Uint8Array | null {
  const size = IV_SIZES[cipher];
  const used = iv ?? given.subarray(0, size);
  if (used.length !== size) return null;
  const data = iv ? given : given.subarray(size);
  try {
    return cipher === 'AES/GCM' ? openedGcm(data, key, used) : openedCbc(data, key, used);
  } catch {
    return null;
  }
}

function openedGcm(data: Uint8Array, key: Uint8Array, iv: Uint8Array): Uint8Array | null {
  if (data.length < TAG) return null;
  const by = createDecipheriv(gcm(key), key, iv, { authTagLength: TAG }) satisfies DecipherGCM;
  by.setAuthTag(data.subarray(-TAG));
  return joined([by.update(data.subarray(0, -TAG)), by.final()]);
}

function openedCbc(data: Uint8Array, key: Uint8Array, iv: Uint8Array): Uint8Array {
  const by = createDecipheriv(`aes-${key.length * 8}-cbc`, key, iv);
  return joined([by.update(data), by.final()]);
}

const gcm = (key: Uint8Array): CipherGCMTypes => `aes-${key.length * 8}-gcm` as CipherGCMTypes; // Keys have three sizes.

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
