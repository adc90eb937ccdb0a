// The string functions (9.3 of the reference). Lengths and positions count code points.

import { randomUUID } from 'node:crypto';
import { type Expression, isConstant } from '#query/model/expression.ts';
import type { FunctionDeclaration } from '#query/model/function.ts';
import { checkPattern } from '#query/model/regex.ts';
import type { Value } from '#query/model/values.ts';
import { textOf } from '#query/values/conversions.ts';
import { MAX_VALUE, ValueTooLarge } from '#query/values/failures.ts';
import { replacedAll } from '#query/values/regexes/regexes.ts';
import { FOLDING_WEIGHT, JSON_WEIGHT } from '#query/values/steps.ts';
import { charsetOf } from '#query/values/text/charsets.ts';
import {
  bounds,
  codePoints,
  isPlainBefore,
  lower,
  padding,
  pointsBefore,
  replacedText,
  slice,
  trimmed,
  unitsBefore,
  upper,
} from '#query/values/text/strings.ts';
import { urlDecoded, urlEncoded } from '#query/values/text/url-text.ts';
import { notConstant } from '#query/values/typing.ts';
import { charset, i, oneOf, optional, s, several, x } from './arguments.ts';

const mode = oneOf(['re']);
const declared: readonly FunctionDeclaration[] = [
  {
    name: 'concat',
    group: 'strings',
    syntax: 'concat(x, ...)',
    summary: {
      en: 'The texts of all values, one after the other; null is the empty text. The texts of several columns have at most 1,048,576 bytes (93003).',
      ko: '모든 값의 텍스트를 이어 붙입니다. null은 빈 텍스트입니다.',
    },
    args: [several(x)],
    result: 'string',
    nulls: 'own',
    reads: 'all',
    weight: JSON_WEIGHT,
    local: (args, { zone }) => args.map((value) => textOf(value, zone) ?? '').join(''),
    examples: [{ text: 'concat("a", null, 1.0)', gives: 'a1' }],
  },
  {
    name: 'replace',
    parameters: ['s', 'from', 'to', 'mode'],
    group: 'strings',
    syntax: 'replace(s, from, to[, "re"])',
    summary: {
      en: 's with all occurrences replaced: of a literal text, or with `"re"` of a constant regular expression. In its replacement `$0` to `$9` are captures, `$$` and `\\\\$` a dollar, `\\\\\\\\` a backslash. An empty literal text changes nothing.',
      ko: '모든 일치를 바꾼 텍스트입니다. `"re"`이면 정규식입니다.',
    },
    args: [s, s, s, optional(mode)],
    result: 'string',
    nulls: 'null',
    check: requireRegex,
    local: ([text, from, to, how], { steps }) => {
      if (how !== undefined) return replacedAll(`${text}`, `${from}`, `${to}`, steps);
      return from === '' ? `${text}` : replacedText(`${text}`, `${from}`, `${to}`);
    },
    examples: [
      { text: 'replace("a-b", "(\\\\w)-(\\\\w)", "$2.$1", "re")', gives: 'b.a' },
      { text: 'replace("a", "(a)", "\\\\$1=$1", "re")', gives: '$1=a' },
    ],
  },
  {
    name: 'split',
    parameters: ['s', 'delim', 'limit'],
    group: 'strings',
    syntax: 'split(s, delim[, i])',
    summary: {
      en: 'A list of the pieces between literal delimiters; at most i pieces, the last one with the rest of the text. An empty delimiter gives one piece. A limit below 1 counts as 1.',
      ko: '구분자 사이의 조각 목록입니다.',
    },
    args: [s, s, optional(i)],
    result: 'list',
    nulls: 'null',
    local: ([text, delimiter, most]) => pieces(`${text}`, `${delimiter}`, most),
    examples: [{ text: 'split("a,b,,c", ",", 3)', gives: ['a', 'b', ',c'] }],
  },
  {
    name: 'strjoin',
    group: 'strings',
    syntax: 'strjoin(sep, l)',
    summary: {
      en: 'The texts of the elements with a separator between them. A null element is empty; a value that is no list gives its own text.',
      ko: '구분자를 넣어 원소의 텍스트를 잇습니다.',
    },
    args: [s, x],
    result: 'string',
    nulls: 'null',
    reads: 'all',
    weight: JSON_WEIGHT,
    local: ([separator, x = null], { zone }) => (Array.isArray(x) ? joined(x, `${separator}`, zone) : textOf(x, zone)),
    examples: [{ text: 'strjoin("-", array("a", null, 2))', gives: 'a--2' }],
  },
  {
    name: 'substr',
    parameters: ['s', 'begin', 'end'],
    group: 'strings',
    syntax: 'substr(s, begin[, end])',
    summary: {
      en: 'The part of s from begin, counted from 0, to before end; negative numbers count from the end. Null if begin is beyond the length, empty if end is before begin. A begin before the text counts as 0.',
      ko: 'begin부터 end 앞까지의 부분입니다.',
    },
    args: [s, i, optional(i)],
    result: 'string',
    nulls: 'null',
    local: ([text, begin, end]) => part(`${text}`, whole(begin), end === undefined ? undefined : whole(end)),
    localOf: ([begin, end]) => partReader(whole(begin), end === undefined ? undefined : whole(end)),
    examples: [{ text: 'substr("abcdef", -3, -1)', gives: 'de' }],
  },
  {
    name: 'left',
    group: 'strings',
    syntax: 'left(s, i)',
    summary: { en: 'The first i code points at most; empty for a negative i.', ko: '앞의 i 글자입니다.' },
    args: [s, i],
    result: 'string',
    nulls: 'null',
    local: ([text, count]) => slice(`${text}`, 0, Math.max(0, Number(count))),
    localOf: ([count]) => partReader(0n, whole(count) < 0n ? 0n : whole(count)),
    examples: [{ text: 'left("한글", 1)', gives: '한' }],
  },
  {
    name: 'right',
    group: 'strings',
    syntax: 'right(s, i)',
    summary: { en: 'The last i code points at most; empty for a negative i.', ko: '뒤의 i 글자입니다.' },
    args: [s, i],
    result: 'string',
    nulls: 'null',
    local: ([text, count]) => {
      const length = codePoints(`${text}`);
      return slice(`${text}`, Math.max(0, length - Math.max(0, Number(count))), length);
    },
    examples: [{ text: 'right("abc", 2)', gives: 'bc' }],
  },
  {
    name: 'len',
    group: 'strings',
    syntax: 'len(x)',
    summary: {
      en: 'The number of code points of a string, elements of a list, keys of a map or bytes of a binary; 0 for null.',
      ko: '문자열, 목록, 맵, 바이트의 길이입니다.',
    },
    args: [x],
    ignoresSurplus: true,
    result: 'long',
    nulls: 'own',
    local: ([x = null], { zone }) => BigInt(lengthOf(x, zone)),
    examples: [{ text: 'len("한글")', gives: 2 }],
  },
  {
    name: 'lower',
    group: 'strings',
    syntax: 'lower(s)',
    summary: { en: 'Lower case by the simple mapping of Unicode, one code point to one.', ko: '소문자로 바꿉니다.' },
    args: [s],
    ignoresSurplus: true,
    result: 'string',
    nulls: 'null',
    local: ([text]) => lower(`${text}`),
    examples: [{ text: 'lower("ÀB")', gives: 'àb' }],
  },
  {
    name: 'upper',
    group: 'strings',
    syntax: 'upper(s)',
    summary: { en: 'Upper case by the simple mapping of Unicode, one code point to one.', ko: '대문자로 바꿉니다.' },
    args: [s],
    ignoresSurplus: true,
    result: 'string',
    nulls: 'null',
    local: ([text]) => upper(`${text}`),
    examples: [{ text: 'upper("straße")', gives: 'STRAßE' }],
  },
  {
    name: 'trim',
    group: 'strings',
    syntax: 'trim(s)',
    summary: { en: 's without spaces, tabs, CR and LF at both ends.', ko: '양끝의 공백을 없앱니다.' },
    args: [s],
    ignoresSurplus: true,
    result: 'string',
    nulls: 'null',
    local: ([text]) => trimmed(`${text}`),
    examples: [{ text: 'trim(" a\\n")', gives: 'a' }],
  },
  {
    name: 'lpad',
    parameters: ['s', 'length', 'pad'],
    group: 'strings',
    syntax: 'lpad(s, i[, pad])',
    summary: {
      en: 's padded on the left to i code points with a text, a space by default; s is never truncated. An empty text changes nothing. Null if more than 10,000 code points would be added.',
      ko: '왼쪽을 채워 i 글자로 만듭니다.',
    },
    args: [s, i, optional(s)],
    result: 'string',
    nulls: 'null',
    local: ([text, length, pad = ' ']) => {
      const fill = padding(`${text}`, whole(length), `${pad}`);
      return fill === null ? null : `${fill}${text}`;
    },
    examples: [{ text: 'lpad("7", 3, "0")', gives: '007' }],
  },
  {
    name: 'rpad',
    parameters: ['s', 'length', 'pad'],
    group: 'strings',
    syntax: 'rpad(s, i[, pad])',
    summary: { en: 'The same as lpad(), on the right.', ko: '오른쪽을 채워 i 글자로 만듭니다.' },
    args: [s, i, optional(s)],
    result: 'string',
    nulls: 'null',
    local: ([text, length, pad = ' ']) => {
      const fill = padding(`${text}`, whole(length), `${pad}`);
      return fill === null ? null : `${text}${fill}`;
    },
    examples: [{ text: 'rpad("abcd", 2)', gives: 'abcd' }],
  },
  {
    name: 'indexof',
    parameters: ['s', 'sub', 'from'],
    group: 'strings',
    syntax: 'indexof(s, sub[, i])',
    summary: {
      en: 'The position of the first occurrence of sub from position i on, counted from 0; -1 without an occurrence. A position before the text counts as 0.',
      ko: 'sub가 처음 나오는 자리입니다. 없으면 -1입니다.',
    },
    args: [s, s, optional(i)],
    result: 'long',
    nulls: 'null',
    local: ([text, sub, from = 0n]) => BigInt(position(`${text}`, `${sub}`, whole(from))),
    examples: [{ text: 'indexof("abcabc", "c", 3)', gives: 5 }],
  },
  {
    name: 'lastindexof',
    parameters: ['s', 'sub', 'from'],
    group: 'strings',
    syntax: 'lastindexof(s, sub[, i])',
    summary: {
      en: 'The position of the last occurrence of sub that begins at or before position i, by default the end, counted from 0; -1 without an occurrence and for i below 0.',
      ko: 'sub가 마지막으로 나오는 자리입니다. 없으면 -1입니다.',
    },
    args: [s, s, optional(i)],
    result: 'long',
    nulls: 'null',
    local: ([text, sub, from]) => BigInt(lastPosition(`${text}`, `${sub}`, from)),
    examples: [
      { text: 'lastindexof("aba", "a")', gives: 2 },
      { text: 'lastindexof("aba", "a", 1)', gives: 0 },
      { text: 'lastindexof("aaa", "aa", 9)', gives: 1 },
      { text: 'lastindexof("😀a😀a", "a", -1)', gives: -1 },
    ],
  },
  {
    name: 'urlencode',
    parameters: ['s', 'charset'],
    group: 'strings',
    syntax: "urlencode(s[, charset'])",
    summary: {
      en: 's percent-encoded by RFC 3986: all characters except unreserved ones, by their bytes in a charset of binary(). Null if the charset lacks a character.',
      ko: '퍼센트 인코딩합니다.',
    },
    args: [s, optional(charset)],
    result: 'string',
    nulls: 'null',
    local: ([text, charset]) => urlEncoded(`${text}`, charsetOf(charset)),
    examples: [
      { text: 'urlencode("a b/é")', gives: 'a%20b%2F%C3%A9' },
      { text: 'urlencode("로그.", "euc-kr")', gives: '%B7%CE%B1%D7.' },
      { text: 'urlencode("로그", "us-ascii")', gives: null },
    ],
  },
  {
    name: 'urldecode',
    parameters: ['s', 'charset'],
    group: 'strings',
    syntax: "urldecode(s[, charset'])",
    summary: {
      en: 's percent-decoded, by bytes of a charset of binary(); `+` and a malformed `%` stay unchanged. Null if the bytes are no text of the charset.',
      ko: '퍼센트 디코딩합니다.',
    },
    args: [s, optional(charset)],
    result: 'string',
    nulls: 'null',
    local: ([text, charset]) => urlDecoded(`${text}`, charsetOf(charset)),
    examples: [
      { text: 'urldecode("a%20b+")', gives: 'a b+' },
      { text: 'urldecode("%B7%CE%B1%D7", "euc-kr")', gives: '로그' },
      { text: 'urldecode("%8Cc%zz", "cp949")', gives: '똠%zz' },
      { text: 'urldecode("%ff")', gives: null },
    ],
  },
  {
    name: 'guid',
    group: 'strings',
    syntax: 'guid()',
    summary: { en: 'A random GUID of version 4 in lower case, a new one per row and call.', ko: '임의의 GUID입니다.' },
    args: [],
    result: 'string',
    nulls: 'own',
    volatile: true,
    local: () => randomUUID(),
    examples: [{ text: 'len(guid())', gives: 36 }],
  },
];

export const strings: readonly FunctionDeclaration[] = declared.map((one) => ({ weight: FOLDING_WEIGHT, ...one }));

/** With "re" the text to replace must be a constant pattern. */
function requireRegex([, pattern, , how]: readonly Expression[]): void {
  if (!pattern || !how) return;
  if (!isConstant(pattern)) throw notConstant(pattern, { name: 'replace', position: 2, type: 'string' });
  if (pattern.kind === 'literal' && pattern.inner) checkPattern(pattern.inner);
}

/** Throws if the text would be too large for the process. */
function joined(list: readonly Value[], separator: string, zone: string): string {
  if (list.length * separator.length > MAX_VALUE) throw new ValueTooLarge();
  return list.map((value) => textOf(value, zone) ?? '').join(separator);
}

const whole = (value: Value | undefined): bigint => (typeof value === 'bigint' ? value : 0n);

function part(text: string, begin: bigint, end: bigint | undefined): Value {
  const found = bounds(codePoints(text), begin, end);
  return found ? slice(text, ...found) : null;
}

/** Between two positions from the beginning only the text before the end must be looked at. */
function partReader(begin: bigint, end: bigint | undefined): (value: Value) => Value {
  if (end === undefined || begin < 0n || end < begin || end > MAX_PREFIX) return (text) => part(`${text}`, begin, end);
  const from = Number(begin);
  const to = Number(end);
  return (value) => {
    const text = `${value}`;
    if (text.length < from) return null;
    return isPlainBefore(text, to) ? text.slice(from, to) : part(text, begin, end);
  };
}

const MAX_PREFIX = 1024n;

/** At most `most` pieces, the last one with all delimiters that follow; a number below 1 counts as 1. */
function pieces(text: string, delimiter: string, most: Value | undefined): Value {
  if (delimiter === '') return [text];
  const all = text.split(delimiter);
  if (most === undefined || whole(most) >= all.length) return all;
  const count = Math.max(1, Number(most));
  return [...all.slice(0, count - 1), all.slice(count - 1).join(delimiter)];
}

function lengthOf(x: Value, zone: string): number {
  if (x === null) return 0;
  if (Array.isArray(x) || x instanceof Uint8Array) return x.length;
  return x instanceof Map ? x.size : codePoints(textOf(x, zone) ?? '');
}

function position(text: string, sub: string, from: bigint): number {
  if (from > BigInt(text.length)) return -1;
  const begin = unitsBefore(text, Math.max(0, Number(from)));
  // After the last code point there is no match, not even of the empty text.
  if (from > BigInt(codePoints(text))) return -1;
  const found = text.indexOf(sub, begin);
  return found === -1 ? -1 : pointsBefore(text, found);
}

function lastPosition(text: string, sub: string, from: Value | undefined): number {
  if (from !== undefined && whole(from) < 0n) return -1;
  const isWithin = from !== undefined && whole(from) < BigInt(text.length);
  const found = text.lastIndexOf(sub, isWithin ? unitsBefore(text, Number(from)) : text.length);
  return found === -1 ? -1 : pointsBefore(text, found);
}
