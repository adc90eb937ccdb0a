// The conversion functions (9.2 of the reference).

import { createHash } from 'node:crypto';
import type { Expression } from '#query/model/expression.ts';
import type { FunctionDeclaration, FunctionExample } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import { isLocaleText } from '#query/model/zones.ts';
import { dateOf, numberOf, textOf, wholeOfText } from '#query/values/conversions.ts';
import { dateContext, formatted } from '#query/values/dates/date-format.ts';
import { readByPattern } from '#query/values/dates/date-reading.ts';
import { instantOf } from '#query/values/dates/dates.ts';
import { captures, regexOf } from '#query/values/regexes/regexes.ts';
import { awayFromZero } from '#query/values/rounding.ts';
import { CODING_WEIGHT, JSON_WEIGHT } from '#query/values/steps.ts';
import { bytesOf } from '#query/values/text/bytes.ts';
import { CHARSETS, charsetOf, decodeBytes, encodeText } from '#query/values/text/charsets.ts';
import {
  bytes,
  charset,
  datePattern,
  n,
  oneOf,
  optional,
  readPattern,
  regex,
  s,
  several,
  x,
  zoneOrLocale,
} from './arguments.ts';
import { requirePairs } from './conditions.ts';

const HASHES = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

const hashed = (algorithm: string, x: Value): Uint8Array | null => {
  const given = bytesOf(x);
  return given && new Uint8Array(createHash(algorithm).update(given).digest());
};

const HASH_EXAMPLES: Readonly<Record<(typeof HASHES)[number], FunctionExample>> = {
  md5: { text: 'md5("a")', gives: '0cc175b9c0f1b6a831c399e269772661' },
  sha1: { text: 'sha1("a")', gives: '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8' },
  sha256: { text: 'len(sha256("a"))', gives: 64 },
  sha384: { text: 'len(sha384(binary("a")))', gives: 96 },
  sha512: { text: 'len(sha512("a"))', gives: 128 },
};

/** A function for each algorithm of hash(). */
const hashFunctions: readonly FunctionDeclaration[] = HASHES.map((name) => ({
  name,
  group: 'conversion',
  syntax: `${name}(x)`,
  summary: {
    en: `The hash of bytes, or of a string as UTF-8, as hexadecimal digits: \`tohex(hash("${name}", x))\`; null for numbers.`,
    ko: `바이트나 UTF-8 문자열의 해시를 16진수로 씁니다: \`tohex(hash("${name}", x))\`. 수는 null입니다.`,
  },
  args: [x],
  result: 'string',
  nulls: 'null',
  baseSteps: 16,
  weight: CODING_WEIGHT,
  local: ([x = null]) => hashed(name, x)?.toHex() ?? null,
  examples: [HASH_EXAMPLES[name]],
}));

const CHARSET_NAMES = CHARSETS.map((name) => `\`${name}\``).join(' ');

export const conversion: readonly FunctionDeclaration[] = [
  {
    name: 'int',
    group: 'conversion',
    syntax: 'int(x)',
    summary: {
      en: 'A whole number of 32 bits: strings must be whole numbers, doubles are truncated towards zero, booleans are 1 or 0.',
      ko: '32비트 정수로 바꿉니다.',
    },
    args: [x],
    result: 'long',
    nulls: 'null',
    local: ([x = null]) => whole(x, 32),
    examples: [{ text: 'int(-2.9)', gives: -2 }],
  },
  {
    name: 'long',
    group: 'conversion',
    syntax: 'long(x)',
    summary: { en: 'The same as int(), with 64 bits.', ko: '64비트 정수로 바꿉니다.' },
    args: [x],
    result: 'long',
    nulls: 'null',
    local: ([x = null]) => whole(x, 64),
    examples: [{ text: 'long("1.9")', gives: null }],
  },
  {
    name: 'double',
    group: 'conversion',
    syntax: 'double(x)',
    summary: { en: 'A double; booleans are 1 or 0.', ko: '실수로 바꿉니다.' },
    args: [x],
    result: 'double',
    nulls: 'null',
    local: ([x = null]) => {
      const number = typeof x === 'boolean' ? Number(x) : numberOf(x);
      return number === null ? null : Number(number);
    },
    examples: [{ text: 'double("1e2")', gives: 100 }],
  },
  {
    name: 'string',
    parameters: ['x', 'format', 'zone', 'locale'],
    aliases: ['str'],
    group: 'conversion',
    syntax: "string(x) or string(d, format'[, zone'[, locale']])",
    summary: {
      en: 'The text of a value. With a format, the text of a date by that pattern, in a zone, with names in `en` or `ko`. Zone and locale may stand in either order and each alone: a text of two small letters, with or without a country (`ko`, `ko_KR`), is a locale.',
      ko: '값의 텍스트, 형식이 있으면 날짜의 텍스트입니다.',
    },
    args: [x, optional(datePattern), optional(zoneOrLocale), optional(zoneOrLocale)],
    check: requireBothKinds,
    result: 'string',
    nulls: 'null',
    baseSteps: 2,
    reads: 'all',
    weight: JSON_WEIGHT,
    local: ([x = null, format, ...rest], { zone }) =>
      format === undefined ? textOf(x, zone) : written(x, format, rest, zone),
    examples: [
      { text: 'string(2.50)', normalized: 'string(2.5)', gives: '2.5' },
      { text: 'string(epoch(0), "yyyy/MM/dd HH:mm", "UTC")', gives: '1970/01/01 00:00' },
      { text: 'string(epoch(0), "HH:mm Z", "GMT+08")', gives: '08:00 +0800' },
      { text: 'string(epoch(0), "E", "ko_KR")', gives: '목' },
      { text: 'string(epoch(0), "EEEE HH XXX", "en-US", "+05:30")', gives: 'Thursday 05 +05:30' },
    ],
  },
  {
    name: 'date',
    parameters: ['s', 'format', 'zone', 'locale'],
    group: 'conversion',
    syntax: "date(s[, format'[, zone'[, locale']]])",
    summary: {
      en: 'The date of a text by a pattern; without a pattern, the date of time text. A number is a whole run of digits, white space before a part is skipped, names may be short or long, in any case, and text after the end of the pattern is ignored; a text that does not fit gives null. `yy` is 1969 to 2068; without `a` the hours of `h` are 0 to 23. Zone and locale are those of `string()`.',
      ko: '텍스트를 날짜로 읽습니다.',
    },
    args: [x, optional(readPattern), optional(zoneOrLocale), optional(zoneOrLocale)],
    check: requireBothKinds,
    result: 'date',
    nulls: 'null',
    baseSteps: 24,
    local: ([x = null, format, ...rest], { zone }) =>
      format === undefined ? dateOf(x, zone) : read(x, format, rest, zone),
    examples: [
      { text: 'date("15/11/2026", "dd/MM/yyyy")', gives: '@2026-11-15 00:00:00+0900' },
      { text: 'date("6월 10 2026", "MMM dd yyyy", "ko")', gives: '@2026-06-10 00:00:00+0900' },
      { text: 'date("2026-11-15", "yyyy-MM-dd", "UTC+9")', gives: '@2026-11-15 00:00:00+0900' },
      { text: 'date("Nov  1 9:01:02 2026 x", "MMM dd HH:mm:ss yyyy")', gives: '@2026-11-01 09:01:02+0900' },
      { text: 'date("2026-1-5", "yyyy-MM-dd")', gives: '@2026-01-05 00:00:00+0900' },
      {
        text: 'date("Sunday, 5 jan 26 23:59:59.000456", "EEE, d MMM yy hh:mm:ss.SSSSSS")',
        gives: '@2026-01-05 23:59:59+0900',
      },
      { text: 'date("930", "Hmm")', gives: '@1970-01-01 09:30:00+0900' },
      { text: 'date("2026-13-01", "yyyy-MM-dd")', gives: null },
      { text: 'date("2026-11-151", "yyyy-MM-dd")', gives: null },
    ],
  },
  {
    name: 'epoch',
    group: 'conversion',
    syntax: 'epoch(n)',
    summary: {
      en: 'The date of a Unix time: in seconds, with fractions, if the absolute value is below 1e11, otherwise in milliseconds. The result is rounded to milliseconds; outside of the years 1 to 9999 it is null.',
      ko: '유닉스 시각의 날짜입니다.',
    },
    args: [n],
    result: 'date',
    nulls: 'null',
    local: ([n = 0]) => {
      const size = Number(n);
      return instantOf(awayFromZero(Math.abs(size) < 1e11 ? size * 1000 : size));
    },
    examples: [{ text: 'epoch(1794711600)', gives: '@2026-11-15 12:00:00+0900' }],
  },
  {
    name: 'array',
    group: 'conversion',
    syntax: 'array(x, ...)',
    summary: { en: 'A list of the values; nulls are kept.', ko: '값의 목록입니다. null도 남습니다.' },
    args: [several(x)],
    result: 'list',
    nulls: 'own',
    local: (values) => values,
    examples: [{ text: 'array(1, null, "a")', gives: [1, null, 'a'] }],
  },
  {
    name: 'dict',
    group: 'conversion',
    syntax: 'dict([s, x, ...])',
    summary: {
      en: 'A map of the pairs; of equal keys the first counts, and a pair with a null key is skipped. Without arguments it is empty.',
      ko: '쌍으로 맵을 만듭니다.',
    },
    args: [optional(s), optional(several(x))],
    result: 'map',
    nulls: 'own',
    reads: 'all',
    weight: JSON_WEIGHT,
    check: (args, span) => requirePairs('dict', args, span),
    local: (args, { zone }) => {
      const map = new Map<string, Value>();
      for (let at = 0; at + 1 < args.length; at += 2) {
        const key = textOf(args[at] ?? null, zone);
        if (key !== null && !map.has(key)) map.set(key, args[at + 1] ?? null);
      }
      return map;
    },
    examples: [
      { text: 'dict("a", 1, "a", 2)', gives: { a: 1 } },
      { text: 'dict()', gives: {} },
    ],
  },
  {
    name: 'binary',
    aliases: ['encode'],
    parameters: ['s', 'charset'],
    group: 'conversion',
    syntax: "binary(s[, charset'])",
    summary: {
      en: `The bytes of a text in a charset: ${CHARSET_NAMES}; utf-8 by default. Null if the charset lacks a character.`,
      ko: '텍스트의 바이트입니다.',
    },
    args: [s, optional(charset)],
    result: 'binary',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    local: ([text, charset]) => encodeText(`${text}`, charsetOf(charset)),
    examples: [
      { text: 'tohex(binary("로그", "EUC-KR"))', normalized: 'tohex(binary("로그", "euc-kr"))', gives: 'b7ceb1d7' },
      { text: 'tohex(binary("똠", "ms949"))', normalized: 'tohex(binary("똠", "cp949"))', gives: '8c63' },
      { text: 'binary("똠", "euc-kr")', gives: null },
      { text: 'tohex(binary("é", "utf-16be"))', gives: '00e9' },
    ],
  },
  {
    name: 'decode',
    parameters: ['s', 'charset'],
    group: 'conversion',
    syntax: "decode(binary[, charset'])",
    summary: {
      en: 'The text of bytes in a charset, as in binary(); null if they are malformed.',
      ko: '바이트의 텍스트입니다.',
    },
    args: [bytes, optional(charset)],
    result: 'string',
    nulls: 'null',
    baseSteps: 4,
    weight: CODING_WEIGHT,
    local: ([given = null, charset]) => (given instanceof Uint8Array ? decodeBytes(given, charsetOf(charset)) : null),
    examples: [
      { text: 'decode(binary("é"))', gives: 'é' },
      { text: 'decode(fromhex("b7ceb1d7"), "cp949")', gives: '로그' },
      { text: 'decode(fromhex("8c63"), "euc-kr")', gives: null },
    ],
  },
  {
    name: 'tohex',
    group: 'conversion',
    syntax: 'tohex(x)',
    summary: {
      en: 'Bytes, or a string as UTF-8, as hexadecimal digits in lower case; null for numbers.',
      ko: '바이트를 16진수로 씁니다.',
    },
    args: [x],
    result: 'string',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    local: ([x = null]) => bytesOf(x)?.toHex() ?? null,
    examples: [{ text: 'tohex("AZ")', gives: '415a' }],
  },
  {
    name: 'fromhex',
    group: 'conversion',
    syntax: 'fromhex(s)',
    summary: { en: 'Bytes from hexadecimal digits.', ko: '16진수를 바이트로 읽습니다.' },
    args: [s],
    result: 'binary',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    local: ([text]) => attempted(() => Uint8Array.fromHex(`${text}`)),
    examples: [{ text: 'decode(fromhex("415a"))', gives: 'AZ' }],
  },
  {
    name: 'tobase64',
    group: 'conversion',
    syntax: 'tobase64(x)',
    summary: { en: 'Bytes, or a string as UTF-8, as base64; null for numbers.', ko: '바이트를 base64로 씁니다.' },
    args: [x],
    result: 'string',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    local: ([x = null]) => bytesOf(x)?.toBase64() ?? null,
    examples: [{ text: 'tobase64("abc")', gives: 'YWJj' }],
  },
  {
    name: 'frombase64',
    group: 'conversion',
    syntax: 'frombase64(s)',
    summary: { en: 'Bytes from base64.', ko: 'base64를 바이트로 읽습니다.' },
    args: [s],
    result: 'binary',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    local: ([text]) =>
      /\s/.test(`${text}`) ? null : attempted(() => Uint8Array.fromBase64(`${text}`, { lastChunkHandling: 'strict' })),
    examples: [{ text: 'decode(frombase64("YWJj"))', gives: 'abc' }],
  },
  {
    name: 'hash',
    parameters: ['algorithm', 'x'],
    group: 'conversion',
    syntax: "hash(algorithm', x)",
    summary: {
      en: 'Hash of bytes, or of a string as UTF-8, by `md5`, `sha1`, `sha256`, `sha384` or `sha512`.',
      ko: '바이트나 문자열의 해시입니다.',
    },
    args: [oneOf(HASHES), x],
    result: 'binary',
    nulls: 'null',
    baseSteps: 16,
    weight: CODING_WEIGHT,
    local: ([algorithm, x = null]) => hashed(`${algorithm}`, x),
    examples: [
      { text: 'tohex(hash("md5", "a"))', gives: '0cc175b9c0f1b6a831c399e269772661' },
      {
        text: 'tohex(hash("sha384", "abc"))',
        gives: 'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
      },
      {
        text: 'tohex(hash("sha512", frombase64("YWJj")))',
        gives:
          'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
      },
    ],
  },
  ...hashFunctions,
  {
    name: 'groups',
    group: 'conversion',
    syntax: "groups(s, regex')",
    summary: {
      en: 'The captures of the first match as a list; null without a match.',
      ko: '첫 일치의 그룹을 목록으로 줍니다.',
    },
    args: [s, regex],
    result: 'list',
    nulls: 'null',
    baseSteps: 3,
    local: ([text, pattern], { steps }) => captures(`${text}`, regexOf(`${pattern}`), steps) ?? null,
    examples: [{ text: 'groups("k=v", "(\\\\w)=(\\\\w)")', gives: ['k', 'v'] }],
  },
];

/** A whole number from text of digits; doubles are truncated; null if it exceeds the bits. */
function whole(x: Value, bits: 32 | 64): Value {
  const value = typeof x === 'boolean' ? BigInt(x) : typeof x === 'number' ? BigInt(Math.trunc(x)) : x;
  const number = typeof value === 'string' ? wholeOfText(value) : value;
  return typeof number === 'bigint' && BigInt.asIntN(bits, number) === number ? number : null;
}

function written(x: Value, format: Value, values: readonly Value[], zone: string): Value {
  const date = dateOf(x, zone);
  return date && formatted(date, `${format}`, dateContext(values, zone));
}

const read = (x: Value, format: Value, values: readonly Value[], zone: string): Value =>
  readByPattern(textOf(x, zone) ?? '', `${format}`, dateContext(values, zone));

/** Of zone and locale each may stand once: a second one is read as the other kind. */
function requireBothKinds([, , third, fourth]: readonly Expression[]): void {
  const one = textIn(third);
  const other = textIn(fourth);
  if (one === undefined || other === undefined || !fourth || isLocaleText(one) !== isLocaleText(other)) return;
  throw new QueryError(isLocaleText(one) ? 90308 : 90309, fourth, { name: other });
}

const textIn = (arg: Expression | undefined): string | undefined =>
  arg?.kind === 'literal' && typeof arg.value === 'string' ? arg.value : undefined;

function attempted<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
