// Reads NUMBER tokens (2.5) and writes numbers of normalized text.

import type { Literal } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { LONG_MAX } from '#query/model/values.ts';
import { literal } from '#query/values/typing.ts';
import { NUMBER } from './names.ts';
import type { Words } from './words.ts';

const NAME_GOES_ON = /[\p{L}\p{M}\p{Nd}_@]+/uy;
const DIGITS_OF_LONG = 19;

/** `isNegated`: a minus stands directly before the number, so that the smallest long is allowed. */
export function readNumber(words: Words, isNegated: boolean): Literal {
  const digits = words.match(NUMBER);
  if (!digits) throw words.unexpected();
  const span = { begin: words.at, end: words.at + digits.length };
  const value = /^\d+$/.test(digits) ? longOf(digits, isNegated) : doubleOf(digits);
  if (value === undefined) throw new QueryError(90206, span);
  words.moveTo(span.end);
  if (words.at === span.end) {
    const more = words.match(NAME_GOES_ON);
    if (more) throw new QueryError(90207, { begin: span.begin, end: span.end + more.length });
  }
  return literal(value, span);
}

function longOf(digits: string, isNegated: boolean): bigint | undefined {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > DIGITS_OF_LONG) return undefined;
  const value = BigInt(significant);
  return value > LONG_MAX + (isNegated ? 1n : 0n) ? undefined : value;
}

function doubleOf(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The shortest digits, with a mark that distinguishes a double from a long. */
export function numberText(value: bigint | number): string {
  if (typeof value === 'bigint') return String(value);
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
