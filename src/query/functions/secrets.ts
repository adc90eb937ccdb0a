// Random bytes, encryption and decryption.

import { randomBytes } from 'node:crypto';
import type { Argument, FunctionDeclaration } from '#query/model/function.ts';
import { bytesOf } from '#query/values/bytes.ts';
import { decrypted, encrypted, keyOf } from '#query/values/encrypted-bytes.ts';
import { CODING_WEIGHT } from '#query/values/steps.ts';
import { notConstant } from '#query/values/typing.ts';
import { bytes, i, x } from './arguments.ts';

/** Must be constant, so that keys occur neither in rows nor in an engine. */
const key: Argument = {
  type: 'any',
  constant: true,
  check(literal, context) {
    if (!keyOf(literal.value)) throw notConstant(literal, { ...context, type: 'string, binary(16, 24, 32)' });
  },
};

/** Limit of the random bytes of one call. */
const MAX_BYTES = 4096n;

export const secrets: readonly FunctionDeclaration[] = [
  {
    name: 'encrypt',
    group: 'conversion',
    syntax: "encrypt(key', x)",
    summary:
      'Encrypts bytes, or a string as UTF-8, by AES-GCM: the result is a nonce of twelve random bytes, the ciphertext and its tag. The key has 16, 24 or 32 bytes, or is a text, whose SHA-256 is then the key. Other values give null.',
    args: [key, x],
    result: 'binary',
    nulls: 'null',
    baseSteps: 24,
    weight: CODING_WEIGHT,
    volatile: true,
    host: ([given = null, x = null]) => {
      const [by, data] = [keyOf(given), bytesOf(x)];
      return by && data && encrypted(by, data);
    },
    examples: [
      { text: 'decode(decrypt("k", encrypt("k", "é")))', gives: 'é' },
      { text: 'len(encrypt("k", ""))', gives: 28 },
      { text: 'encrypt("k", 5)', gives: null },
    ],
  },
  {
    name: 'decrypt',
    group: 'conversion',
    syntax: "decrypt(key', binary)",
    summary: 'Decrypts the result of encrypt(); null if the key is another one or the bytes have been changed.',
    args: [key, bytes],
    result: 'binary',
    nulls: 'null',
    baseSteps: 24,
    weight: CODING_WEIGHT,
    host: ([given = null, x = null]) => {
      const by = keyOf(given);
      return by && x instanceof Uint8Array ? decrypted(by, x) : null;
    },
    examples: [
      {
        text: 'decode(decrypt(fromhex("000102030405060708090a0b0c0d0e0f"), frombase64("AAECAwQFBgcICQoL5QXApwoUZ0+ZPiosnuNKDEdCSlng")))',
        gives: 'vigil',
      },
      { text: 'decrypt("other", encrypt("k", "x"))', gives: null },
      { text: 'decrypt("k", binary("short"))', gives: null },
    ],
  },
  {
    name: 'randbytes',
    group: 'conversion',
    syntax: 'randbytes(i)',
    summary: 'i cryptographically random bytes; null for i below 1 and above 4,096.',
    args: [i],
    result: 'binary',
    nulls: 'null',
    volatile: true,
    host: ([count]) =>
      typeof count === 'bigint' && count >= 1n && count <= MAX_BYTES
        ? new Uint8Array(randomBytes(Number(count)))
        : null,
    examples: [
      { text: 'len(randbytes(16))', gives: 16 },
      { text: 'randbytes(0)', gives: null },
    ],
  },
];
