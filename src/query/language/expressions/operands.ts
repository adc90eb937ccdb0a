// Operands of expressions that need more than one look: calls, parameters, and words that begin with a digit.

import { quotedNameHint } from '#query/language/token-hints.ts';
import type { Words } from '#query/language/words.ts';
import type { Expression, ParameterRead, Span } from '#query/model/expression.ts';
import { type Hint, QueryError } from '#query/model/query-error.ts';

/** True if an opening parenthesis follows the name, with or without space. */
export function isCallOf(words: Words, ident: string): boolean {
  let at = words.at + ident.length;
  while (at < words.end && ' \t\r\n'.includes(words.text.charAt(at))) at += 1;
  return at < words.end && words.text.charAt(at) === '(';
}

/** True for `field("...")` with a STRING alone; any other argument is computed. */
export function isQuotedField(words: Words, ident: string): boolean {
  if (ident !== 'field') return false;
  const begin = words.at;
  words.moveTo(begin + ident.length);
  words.take('(');
  const isAlone = words.takeString() !== undefined && words.here === ')';
  words.moveTo(begin);
  return isAlone;
}

export function parameterOf(args: readonly Expression[], span: Span): ParameterRead {
  const [name, fallback] = args;
  if (name?.kind !== 'literal' || typeof name.value !== 'string') {
    throw new QueryError(90302, name ?? span, { n: 1, name: '$', type: { term: 'string' } });
  }
  if (args.length > 2) throw new QueryError(90301, span, { name: '$', n: '1–2', given: args.length });
  const read = { kind: 'parameter', name: name.value, type: 'any', begin: span.begin, end: span.end } as const;
  return fallback ? { ...read, fallback } : read;
}

/** What follows the name of a field, and never `and` or `or` between two conditions. */
const BEHIND_A_FIELD = /^[ \t\r\n]*(?:[=!<>]=|[<>+*/])/;

/** `and` or `or` at the cursor, where an operand is expected: a field of that name, or a condition too few. */
export function misplacedConnective(words: Words, word: string): QueryError {
  const span = { begin: words.at, end: words.at + word.length };
  const isField = BEHIND_A_FIELD.test(words.text.slice(span.end, Math.min(words.end, span.end + LOOK_AHEAD)));
  return new QueryError(90201, span, { token: word }, isField ? { hints: [quotedNameHint(word)] } : {});
}

/** A word at the cursor that is neither a name nor a number: a duration without quotes, or `0x1f`. */
export function unreadableWord(words: Words, word: string, isDuration: boolean): QueryError {
  const span = { begin: words.at, end: words.at + word.length };
  const hint = isDuration ? durationHint(words, word) : quotedNameHint(word);
  return new QueryError(90201, span, { token: word }, { hints: [hint] });
}

const NOW_MINUS = /(?:^|[^\p{L}\p{Nd}_@.:])now[ \t\r\n]*(?:\([ \t\r\n]*\)[ \t\r\n]*)?-[ \t\r\n]*$/u;
/** Enough to find `now() - ` before a duration. */
const LOOK_BACK = 32;
/** Enough to find an operator behind a word. */
const LOOK_AHEAD = 16;

function durationHint(words: Words, word: string): Hint {
  const isBackFromNow = NOW_MINUS.test(words.text.slice(Math.max(0, words.at - LOOK_BACK), words.at));
  if (isBackFromNow) return { code: 91022, values: { d: word } };
  return { code: 91033, values: { d: word }, replacement: `"${word}"` };
}
