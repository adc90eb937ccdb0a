// Operations on strings by code point (9.3).

import { MAX_VALUE, ValueTooLarge } from '#query/values/failures.ts';

/** Shorter texts are looked at unit by unit, which takes less time than to call an expression. */
const SHORT = 32;

/** True if units and code points are the same. */
const isPlain = (text: string): boolean =>
  text.length < SHORT ? isPlainBefore(text, text.length) : !/[\ud800-\udfff]/.test(text);

/** True if units and code points are the same before a position. */
export function isPlainBefore(text: string, end: number): boolean {
  for (let at = Math.min(end, text.length) - 1; at >= 0; at -= 1) {
    if ((text.charCodeAt(at) & 0xf800) === 0xd800) return false;
  }
  return true;
}

function isAscii(text: string): boolean {
  if (text.length >= SHORT) return ASCII.test(text);
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 0x80) return false;
  return true;
}

/** Counts no more code points than needed. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || codePoints(text) > max);

export const codePoints = (text: string): number => (isPlain(text) ? text.length : [...text].length);

/** The code points from `begin` to before `end`, both within the text. */
export function slice(text: string, begin: number, end: number): string {
  return isPlain(text) ? text.slice(begin, end) : [...text].slice(begin, end).join('');
}

/** Position in code points of a position in units. */
export const pointsBefore = (text: string, units: number): number => codePoints(text.slice(0, units));

/** Position in units of a position in code points. */
export const unitsBefore = (text: string, points: number): number =>
  isPlain(text) ? points : [...text].slice(0, points).join('').length;

/** Begin and end of substr() and subarray(): negative counts from the end; undefined where begin is beyond the length. */
export function bounds(length: number, begin: bigint, end: bigint | undefined): [number, number] | undefined {
  const from = begin < 0n ? Math.max(0, length + Number(begin)) : Number(begin);
  if (from > length) return undefined;
  const to = end === undefined ? length : end < 0n ? Math.max(0, length + Number(end)) : Math.min(length, Number(end));
  return [from, Math.max(from, to)];
}

/** One code point: one unit, or a pair of surrogates. */
const isOne = (text: string): boolean => text.length === 1 || (text.length === 2 && !isPlain(text));

const ASCII = /^[\0-\x7f]*$/;

/** Letters that are newer than the tables of some engines (Unicode 15) have no case on any engine. */
const NEW_LETTERS = /[\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2-\ua7d5\ua7da-\ua7dc\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]/u;

const mapped = (one: string, to: string): string =>
  one !== to && isOne(to) && !NEW_LETTERS.test(one) && !NEW_LETTERS.test(to) ? to : one;

export function lower(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.replace(CASED, (one) => (one === 'İ' ? 'i' : mapped(one, one.toLowerCase())));
}

/** Characters that may have another case; most texts contain few of them. */
const CASED = /[\p{Changes_When_Casemapped}]/gu;

/** Greek letters with iota subscript have a simple capital form in addition to the full one of two letters. */
const IOTA = /^[\u1f80-\u1f87\u1f90-\u1f97\u1fa0-\u1fa7]$/;
const IOTA_CAPITALS: Readonly<Record<string, string>> = { '\u1fb3': '\u1fbc', '\u1fc3': '\u1fcc', '\u1ff3': '\u1ffc' };

export function upper(text: string): string {
  if (isAscii(text)) return text.toUpperCase();
  return text.replace(CASED, upperOne);
}

function upperOne(one: string): string {
  if (IOTA.test(one)) return String.fromCharCode(one.charCodeAt(0) + 8);
  return IOTA_CAPITALS[one] ?? mapped(one, one.toUpperCase());
}

export function trimmed(text: string): string {
  let begin = 0;
  let end = text.length;
  // Most texts begin and end with a visible character.
  if (end > 0 && text.charCodeAt(0) > 0x20 && text.charCodeAt(end - 1) > 0x20) return text;
  while (begin < end && isBlank(text.charCodeAt(begin))) begin += 1;
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return end - begin === text.length ? text : text.slice(begin, end);
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

const MAX_PADDED = 10_000;

/** The text that fills up to `length` code points; null if more than the limit would be added. */
export function padding(text: string, length: bigint, pad: string): string | null {
  const missing = Number(length) - codePoints(text);
  if (missing <= 0 || pad === '') return '';
  if (missing > MAX_PADDED) return null;
  return slice(pad.repeat(Math.ceil(missing / codePoints(pad))), 0, missing);
}

/** Replaces all occurrences; throws if the text would become too large. */
export function replacedText(text: string, from: string, to: string): string {
  const pieces = text.split(from);
  if (text.length + (pieces.length - 1) * (to.length - from.length) > MAX_VALUE) throw new ValueTooLarge();
  return pieces.join(to);
}
