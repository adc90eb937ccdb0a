// The writable fields of a crypto profile. Algorithm and key are fixed with its creation.

import { wrongCryptoKey } from '#contract/errors.ts';
import { alongside, anyText, oneOf, orElse, required, secret, text } from '#http/params.ts';
import { ALGORITHMS, type Algorithm, KEY_BYTES } from '#vault/profile-key.ts';

export const fields = {
  name: required(text(255)),
  description: text(2000),
};

export const keyFields = {
  algorithm: orElse(oneOf(ALGORITHMS), 'aes-256-gcm'),
  key: secret(
    alongside(anyText, (key, { algorithm }) => {
      // Read before, by the reader above.
      const bytes = KEY_BYTES[algorithm as Algorithm];
      if (key !== undefined && keyBytes(key)?.length !== bytes) throw wrongCryptoKey(bytes);
    }),
  ),
};

/** Undefined for a text that is no base64: what Node's decoder passes over must not become a key. */
export function keyBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  const isSame = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isSame ? bytes : undefined;
}
