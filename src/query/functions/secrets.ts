// Random bytes, encryption and decryption.

import { randomBytes } from 'node:crypto';
import { type Expression, isConstant } from '#query/model/expression.ts';
import type { Argument, FunctionDeclaration } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import { CODING_WEIGHT } from '#query/values/steps.ts';
import { bytesOf } from '#query/values/text/bytes.ts';
import { CIPHERS, cipherNamed, decrypted, encrypted, keyOf } from '#query/values/text/encrypted-bytes.ts';
import { notConstant } from '#query/values/typing.ts';
import { i, optional, x } from './arguments.ts';

/** A parameter, so that no key stands in the text of a query. */
const key: Argument = {
  type: 'any',
  constant: true,
  secret: true,
  check(literal, context) {
    if (!keyOf(literal.value)) throw notConstant(literal, { ...context, type: 'string, binary(16, 24, 32)' });
  },
};

const cipher: Argument = {
  type: 'string',
  constant: true,
  check(literal) {
    const name = String(literal.value);
    if (!cipherNamed(name)) throw new QueryError(90312, literal, { name }, { suggestions: CIPHERS });
  },
  named: (text) => cipherNamed(text) ?? text,
};

/** Limit of the random bytes of one call. */
const MAX_BYTES = 4096n;

const KEY_RULE =
  'The key is a parameter, `$("name")` without a default: 16, 24 or 32 bytes, or a string of that size as UTF-8.';

export const secrets: readonly FunctionDeclaration[] = [
  {
    name: 'encrypt',
    parameters: ['cipher', 'key', 'data', 'iv'],
    group: 'conversion',
    syntax: "encrypt(cipher', key', data[, iv])",
    summary: {
      en: `Encrypts bytes, or a string as UTF-8, by \`AES/CBC/PKCS5\` or \`AES/GCM\`. ${KEY_RULE} The iv has 16 bytes for CBC and 12 for GCM; another size gives null, and for GCM a constant is refused, because it would repeat. Without an iv a random one stands before the result. GCM ends with a tag of 16 bytes.`,
      ko: '바이트나 문자열을 암호화합니다.',
    },
    args: [cipher, key, x, optional(x)],
    result: 'binary',
    nulls: 'null',
    baseSteps: 24,
    weight: CODING_WEIGHT,
    volatile: true,
    check: refuseConstantIv,
    local: (args) => coded(args, encrypted),
    examples: [
      {
        text: 'tohex(encrypt("AES/CBC", $("secret_key"), "hi", "0123456789abcdef"))',
        normalized: 'tohex(encrypt("AES/CBC/PKCS5", $("secret_key"), "hi", "0123456789abcdef"))',
        gives: '8177acf5e22572f77561fd0115ca5a94',
      },
      {
        text: 'len(encrypt("aes/gcm/nopadding", $("secret_key"), ""))',
        normalized: 'len(encrypt("AES/GCM", $("secret_key"), ""))',
        gives: 28,
      },
      { text: 'encrypt("AES/CBC/PKCS5", $("secret_key"), "hi", "short")', gives: null },
      { text: 'encrypt("AES/GCM", $("secret_key"), 5)', gives: null },
    ],
  },
  {
    name: 'decrypt',
    parameters: ['cipher', 'key', 'data', 'iv'],
    group: 'conversion',
    syntax: "decrypt(cipher', key', data[, iv])",
    summary: {
      en: 'Decrypts the result of encrypt(); without an iv it is read from the beginning of the data. Null for another key, changed bytes or wrong padding.',
      ko: 'encrypt()의 결과를 복호화합니다.',
    },
    args: [cipher, key, x, optional(x)],
    result: 'binary',
    nulls: 'null',
    baseSteps: 24,
    weight: CODING_WEIGHT,
    local: (args) => coded(args, decrypted),
    examples: [
      {
        text: 'decode(decrypt("AES/GCM", $("secret_key"), encrypt("AES/GCM", $("secret_key"), "hi")))',
        gives: 'hi',
      },
      {
        text: 'decode(decrypt("AES/CBC/PKCS5", $("secret_key"), fromhex("8177acf5e22572f77561fd0115ca5a94"), "0123456789abcdef"))',
        gives: 'hi',
      },
      { text: 'decrypt("AES/GCM", $("secret_key"), binary("x"))', gives: null },
    ],
  },
  {
    name: 'randbytes',
    group: 'conversion',
    syntax: 'randbytes(i)',
    summary: {
      en: 'i cryptographically random bytes; null for i below 1 and above 4,096.',
      ko: '암호학적으로 안전한 임의의 바이트입니다.',
    },
    args: [i],
    result: 'binary',
    nulls: 'null',
    volatile: true,
    local: ([count]) =>
      typeof count === 'bigint' && count >= 1n && count <= MAX_BYTES
        ? new Uint8Array(randomBytes(Number(count)))
        : null,
    examples: [
      { text: 'len(randbytes(16))', gives: 16 },
      { text: 'randbytes(0)', gives: null },
    ],
  },
];

/** One of the two functions over the arguments of a call; null where one of them is no bytes. */
function coded([cipher, key = null, data = null, iv]: readonly Value[], code: typeof encrypted): Value {
  const by = keyOf(key);
  const bytes = bytesOf(data);
  const given = iv === undefined ? undefined : bytesOf(iv);
  const name = cipherNamed(String(cipher));
  if (!name || !by || !bytes || given === null) return null;
  return code(bytes, { cipher: name, key: by, iv: given });
}

/** A constant iv would be that of every row, which breaks GCM. */
function refuseConstantIv([cipher, , , iv]: readonly Expression[]): void {
  const name = cipher?.kind === 'literal' ? cipherNamed(String(cipher.value)) : undefined;
  if (name === 'AES/GCM' && iv && isConstant(iv)) {
    throw notConstant(iv, { name: 'encrypt', position: 4, type: 'iv ≠ constant' });
  }
}
