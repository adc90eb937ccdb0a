// The conversion functions (9.2 of the reference).

import { createHash } from 'node:crypto';
import type { FunctionDeclaration } from '#query/model/function.ts';
import type { Value } from '#query/model/values.ts';
import { bytesOf } from '#query/values/bytes.ts';
import { dateOf, numberOf, textOf, wholeOfText } from '#query/values/conversions.ts';
import { formatted, readByPattern } from '#query/values/date-format.ts';
import { instantOf } from '#query/values/dates.ts';
import { captures, regexOf } from '#query/values/regexes.ts';
import { awayFromZero } from '#query/values/rounding.ts';
import { CODING_WEIGHT, JSON_WEIGHT } from '#query/values/steps.ts';
import { bytes, datePattern, n, oneOf, optional, readPattern, regex, s, several, x, zone } from './arguments.ts';
import { requirePairs } from './conditions.ts';

const locale = oneOf(['en', 'ko']);
const charset = oneOf(['UTF-8', 'utf-8', 'utf8']);

export const conversion: readonly FunctionDeclaration[] = [
  {
    name: 'int',
    group: 'conversion',
    syntax: 'int(x)',
    summary:
      'A whole number of 32 bits: strings must be whole numbers, doubles are truncated towards zero, booleans are 1 or 0.',
    args: [x],
    result: 'long',
    nulls: 'null',
    host: ([x = null]) => whole(x, 32),
    examples: [{ text: 'int(-2.9)', gives: -2 }],
  },
  {
    name: 'long',
    group: 'conversion',
    syntax: 'long(x)',
    summary: 'The same as int(), with 64 bits.',
    args: [x],
    result: 'long',
    nulls: 'null',
    host: ([x = null]) => whole(x, 64),
    examples: [{ text: 'long("1.9")', gives: null }],
  },
  {
    name: 'double',
    group: 'conversion',
    syntax: 'double(x)',
    summary: 'A double; booleans are 1 or 0.',
    args: [x],
    result: 'double',
    nulls: 'null',
    host: ([x = null]) => {
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
    summary:
      'The text of a value. With a format, the text of a date by that pattern, in a zone, with names in `en` or `ko`.',
    args: [x, optional(datePattern), optional(zone), optional(locale)],
    result: 'string',
    nulls: 'null',
    baseSteps: 2,
    reads: 'all',
    weight: JSON_WEIGHT,
    host: ([x = null, format, ...rest], { zone }) =>
      format === undefined ? textOf(x, zone) : written(x, format, rest, zone),
    examples: [
      { text: 'string(2.50)', gives: '2.5' },
      { text: 'string(epoch(0), "yyyy/MM/dd HH:mm", "UTC")', gives: '1970/01/01 00:00' },
    ],
  },
  {
    name: 'date',
    parameters: ['s', 'format', 'zone', 'locale'],
    group: 'conversion',
    syntax: "date(s[, format'[, zone'[, locale']]])",
    summary:
      'The date of a text that matches the pattern completely and strictly; without a pattern, the date of time text. `yy` is 20yy; names of weekdays are read but not checked.',
    args: [x, optional(readPattern), optional(zone), optional(locale)],
    result: 'date',
    nulls: 'null',
    baseSteps: 24,
    host: ([x = null, format, ...rest], { zone }) =>
      format === undefined ? dateOf(x, zone) : read(x, format, rest, zone),
    examples: [{ text: 'date("15/11/2026", "dd/MM/yyyy")', gives: '@2026-11-15 00:00:00+0900' }],
  },
  {
    name: 'epoch',
    group: 'conversion',
    syntax: 'epoch(n)',
    summary:
      'The date of a Unix time: in seconds, with fractions, if the absolute value is below 1e11, otherwise in milliseconds. The result is rounded to milliseconds; outside of the years 1 to 9999 it is null.',
    args: [n],
    result: 'date',
    nulls: 'null',
    host: ([n = 0]) => {
      const size = Number(n);
      return instantOf(awayFromZero(Math.abs(size) < 1e11 ? size * 1000 : size));
    },
    examples: [{ text: 'epoch(1794711600)', gives: '@2026-11-15 12:00:00+0900' }],
  },
  {
    name: 'array',
    group: 'conversion',
    syntax: 'array(x, ...)',
    summary: 'A list of the values; nulls are kept.',
    args: [several(x)],
    result: 'list',
    nulls: 'own',
    host: (values) => values,
    examples: [{ text: 'array(1, null, "a")', gives: [1, null, 'a'] }],
  },
  {
    name: 'dict',
    group: 'conversion',
    syntax: 'dict(s, x, ...)',
    summary: 'A map of the pairs; of equal keys the first counts, and a pair with a null key is skipped.',
    args: [s, several(x)],
    result: 'map',
    nulls: 'own',
    reads: 'all',
    weight: JSON_WEIGHT,
    check: (args, span) => requirePairs('dict', args, span),
    host: (args, { zone }) => {
      const map = new Map<string, Value>();
      for (let at = 0; at + 1 < args.length; at += 2) {
        const key = textOf(args[at] ?? null, zone);
        if (key !== null && !map.has(key)) map.set(key, args[at + 1] ?? null);
      }
      return map;
    },
    examples: [{ text: 'dict("a", 1, "a", 2)', gives: { a: 1 } }],
  },
  {
    name: 'binary',
    parameters: ['s', 'charset'],
    group: 'conversion',
    syntax: "binary(s[, charset'])",
    summary: 'The bytes of a text in UTF-8.',
    args: [s, optional(charset)],
    result: 'binary',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    host: ([text]) => new TextEncoder().encode(`${text}`),
    examples: [],
  },
  {
    name: 'decode',
    parameters: ['s', 'charset'],
    group: 'conversion',
    syntax: "decode(binary[, charset'])",
    summary: 'The text of bytes in UTF-8; null if they are malformed.',
    args: [bytes, optional(charset)],
    result: 'string',
    nulls: 'null',
    baseSteps: 4,
    weight: CODING_WEIGHT,
    host: ([given = null]) => (given instanceof Uint8Array ? decoded(given) : null),
    examples: [{ text: 'decode(binary("é"))', gives: 'é' }],
  },
  {
    name: 'tohex',
    group: 'conversion',
    syntax: 'tohex(x)',
    summary: 'Bytes, or a string as UTF-8, as hexadecimal digits in lower case; null for numbers.',
    args: [x],
    result: 'string',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    host: ([x = null]) => bytesOf(x)?.toHex() ?? null,
    examples: [{ text: 'tohex("AZ")', gives: '415a' }],
  },
  {
    name: 'fromhex',
    group: 'conversion',
    syntax: 'fromhex(s)',
    summary: 'Bytes from hexadecimal digits.',
    args: [s],
    result: 'binary',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    host: ([text]) => attempted(() => Uint8Array.fromHex(`${text}`)),
    examples: [{ text: 'decode(fromhex("415a"))', gives: 'AZ' }],
  },
  {
    name: 'tobase64',
    group: 'conversion',
    syntax: 'tobase64(x)',
    summary: 'Bytes, or a string as UTF-8, as base64; null for numbers.',
    args: [x],
    result: 'string',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    host: ([x = null]) => bytesOf(x)?.toBase64() ?? null,
    examples: [{ text: 'tobase64("abc")', gives: 'YWJj' }],
  },
  {
    name: 'frombase64',
    group: 'conversion',
    syntax: 'frombase64(s)',
    summary: 'Bytes from base64.',
    args: [s],
    result: 'binary',
    nulls: 'null',
    baseSteps: 3,
    weight: CODING_WEIGHT,
    host: ([text]) =>
      /\s/.test(`${text}`) ? null : attempted(() => Uint8Array.fromBase64(`${text}`, { lastChunkHandling: 'strict' })),
    examples: [{ text: 'decode(frombase64("YWJj"))', gives: 'abc' }],
  },
  {
    name: 'hash',
    parameters: ['algorithm', 'x'],
    group: 'conversion',
    syntax: "hash(algorithm', x)",
    summary: 'Hash of bytes, or of a string as UTF-8, by `md5`, `sha1`, `sha256`, `sha384` or `sha512`.',
    args: [oneOf(['md5', 'sha1', 'sha256', 'sha384', 'sha512']), x],
    result: 'binary',
    nulls: 'null',
    baseSteps: 16,
    weight: CODING_WEIGHT,
    host: ([algorithm, x = null]) => {
      const given = bytesOf(x);
      return given && new Uint8Array(createHash(`${algorithm}`).update(given).digest());
    },
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
  {
    name: 'groups',
    group: 'conversion',
    syntax: "groups(s, regex')",
    summary: 'The captures of the first match as a list; null without a match.',
    args: [s, regex],
    result: 'list',
    nulls: 'null',
    baseSteps: 3,
    host: ([text, pattern], { steps }) => captures(`${text}`, regexOf(`${pattern}`), steps) ?? null,
    examples: [{ text: 'groups("k=v", "(\\\\w)=(\\\\w)")', gives: ['k', 'v'] }],
  },
];

/** A whole number from text of digits; doubles are truncated; null if it exceeds the bits. */
function whole(x: Value, bits: 32 | 64): Value {
  const value = typeof x === 'boolean' ? BigInt(x) : typeof x === 'number' ? BigInt(Math.trunc(x)) : x;
  const number = typeof value === 'string' ? wholeOfText(value) : value;
  return typeof number === 'bigint' && BigInt.asIntN(bits, number) === number ? number : null;
}

const localeOf = (word: Value | undefined) => (word === 'ko' ? 'ko' : 'en');

function written(x: Value, format: Value, [zone, locale]: readonly Value[], ownZone: string): Value {
  const date = dateOf(x, ownZone);
  return date && formatted(date, `${format}`, `${zone ?? ownZone}`, localeOf(locale));
}

function read(x: Value, format: Value, [zone, locale]: readonly Value[], ownZone: string): Value {
  return readByPattern(textOf(x, ownZone) ?? '', `${format}`, `${zone ?? ownZone}`, localeOf(locale));
}

const decoded = (given: Uint8Array): string | null =>
  attempted(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(given));

function attempted<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}
