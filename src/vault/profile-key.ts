// The key of a crypto profile. It encrypts nothing but keys and small texts itself: every file has a data key of its
// own, kept in the file, wrapped by this one.

import { createHmac, createSecretKey, type Hmac, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { BOX_BYTES, openBox, sealBox } from './box.ts';
import { type DataKey, dataKeyOf } from './gcm.ts';

export const ALGORITHMS = ['aes-128-gcm', 'aes-256-gcm'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

export const KEY_BYTES: Readonly<Record<Algorithm, number>> = { 'aes-128-gcm': 16, 'aes-256-gcm': 32 };

interface NewDataKey {
  readonly key: DataKey;
  readonly wrapped: Buffer;
}

export class ProfileKey {
  readonly algorithm: Algorithm;
  readonly #key: KeyObject;
  readonly #macKey: KeyObject;

  constructor(algorithm: Algorithm, bytes: Buffer) {
    this.algorithm = algorithm;
    this.#key = createSecretKey(bytes);
    this.#macKey = createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', 'vigil integrity', 32)));
  }

  /** How long a wrapped data key is. */
  get wrappedBytes(): number {
    return KEY_BYTES[this.algorithm] + BOX_BYTES;
  }

  /** `label` says what the key is for; it is needed to unwrap it. */
  newDataKey(label: string): NewDataKey {
    const bytes = randomBytes(KEY_BYTES[this.algorithm]);
    return { key: dataKeyOf(createSecretKey(bytes)), wrapped: sealBox(this.#key, bytes, `key ${label}`) };
  }

  /** Undefined when it was not wrapped by this key under this label. */
  dataKey(wrapped: Buffer, label: string): DataKey | undefined {
    const bytes = openBox(this.#key, wrapped, `key ${label}`);
    return bytes && dataKeyOf(createSecretKey(bytes));
  }

  sealText(text: string, label: string): string {
    return sealBox(this.#key, Buffer.from(text), `text ${label}`).toString('base64');
  }

  openText(sealed: string, label: string): string | undefined {
    return openBox(this.#key, Buffer.from(sealed, 'base64'), `text ${label}`)?.toString('utf8');
  }

  /** To be fed with what is to be proven; `label` is part of it. */
  mac(label: string): Hmac {
    return createHmac('sha256', this.#macKey).update(`${label}\n`);
  }
}
