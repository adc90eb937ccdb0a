// The operators of the language with their precedences, and those of other languages with what is used here instead.

import type { Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Words } from './words.ts';

export const BINARY = {
  or: 300,
  and: 310,
  '==': 400,
  '!=': 400,
  '<=': 410,
  '>=': 410,
  '<': 410,
  '>': 410,
  '+': 500,
  '-': 500,
  '*': 510,
  '/': 510,
} as const;

export type BinaryOperator = keyof typeof BINARY;

const SYMBOLS = ['==', '!=', '<=', '>=', '<', '>', '+', '-', '*', '/'] as const;

/** Longer ones first. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ['<=>', '=='],
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
  ['=~', 'match()'],
  ['!~', 'not(match())'],
  ['&&', 'and'],
  ['**', 'pow()'],
  ['<<', '*'],
  ['>>', '/'],
  ['=', '=='],
  ['%', 'mod()'],
  ['?', 'if()'],
  ['^', 'pow()'],
  ['!', 'not()'],
  ['~', 'match()'],
  ['&', 'and'],
];

/** What a symbol begins with; most of what stands behind an operand is none. */
const SIGNS = new Set([...SYMBOLS, ...FOREIGN.map(([symbol]) => symbol)].map((symbol) => symbol.charAt(0)));

/** In lower case; the language's own words are foreign in any other. */
const FOREIGN_WORDS: Readonly<Record<string, string>> = {
  and: 'and',
  or: 'or',
  like: 'like()',
  in: 'in()',
  not: 'not()',
  between: '>=, <=, and',
  is: 'isnull()',
  matches: 'match()',
  contains: 'contains()',
  xor: '!=',
  mod: 'mod()',
};

/** The operator that stands here, if one does; throws for one that exists only elsewhere. */
export function operatorHere(words: Words): BinaryOperator | undefined {
  if (!SIGNS.has(words.here)) return wordOperator(words);
  const foreign = FOREIGN.find(([symbol]) => words.startsWith(symbol));
  const own = SYMBOLS.find((symbol) => words.startsWith(symbol));
  if (foreign && (own?.length ?? 0) < foreign[0].length) {
    throw foreignOperator(foreign[0], { begin: words.at, end: words.at + foreign[0].length });
  }
  return own;
}

function wordOperator(words: Words): 'and' | 'or' | undefined {
  const ident = words.ident();
  if (ident === 'and' || ident === 'or') return ident;
  if (ident !== undefined && Object.hasOwn(FOREIGN_WORDS, ident.toLowerCase())) {
    throw foreignOperator(ident, { begin: words.at, end: words.at + ident.length });
  }
  return undefined;
}

/** `not a`: there is no prefix of that name, but a field may be called so. */
export function isForeignPrefix(words: Words, ident: string): boolean {
  if (ident.toLowerCase() !== 'not') return false;
  const rest = words.text.slice(words.at + ident.length, Math.min(words.end, words.at + ident.length + 64));
  return /^[ \t\r\n]+(?!(?:and|or|like|in|is)\b)[\p{L}\d_@"$]/u.test(rest);
}

export function foreignOperator(token: string, span: Span): QueryError {
  const instead = FOREIGN.find(([symbol]) => symbol === token)?.[1] ?? FOREIGN_WORDS[token.toLowerCase()] ?? '';
  return new QueryError(90203, span, { token, instead });
}
