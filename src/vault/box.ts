// A few bytes under a key: nonce, ciphertext and tag in one piece. The label is authenticated with them, so a box opens
// only in the place that it was made for.

import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** What a box has more than its content. */
export const BOX_BYTES = NONCE_BYTES + TAG_BYTES;

export function sealBox(key: KeyObject, content: Uint8Array, label: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(cipherOf(key), key, nonce);
  cipher.setAAD(Buffer.from(label));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when the key, the label or a byte is another one. */
export function openBox(key: KeyObject, box: Buffer, label: string): Buffer | undefined {
  if (box.length < BOX_BYTES) return undefined;
  const tag = box.subarray(box.length - TAG_BYTES);
  const decipher = createDecipheriv(cipherOf(key), key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(label));
  decipher.setAuthTag(tag);
  const content = decipher.update(box.subarray(NONCE_BYTES, box.length - TAG_BYTES));
  try {
    return Buffer.concat([content, decipher.final()]);
  } catch {
    return undefined;
  }
}

const cipherOf = ({ symmetricKeySize }: KeyObject) => (symmetricKeySize === 16 ? 'aes-128-gcm' : 'aes-256-gcm');
