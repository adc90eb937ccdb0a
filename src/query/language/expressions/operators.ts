// The operators of the language with their precedences, and operators of other languages with their replacements here.

import type { Words } from '#query/language/words.ts';
import type { Span } from '#query/model/expression.ts';
import { type Hint, QueryError } from '#query/model/query-error.ts';

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

/** Longer symbols first, so that a prefix does not match instead. */
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

/** First characters of all symbols: a cheap test, because most characters after an operand begin no symbol. */
const SIGNS = new Set([...SYMBOLS, ...FOREIGN.map(([symbol]) => symbol)].map((symbol) => symbol.charAt(0)));

/** Words in lower case; the words of this language count as foreign in any other case. */
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

/** The operator at the cursor, or undefined; throws for an operator of another language. `left` is the operand before it. */
export function operatorHere(words: Words, left?: Span): BinaryOperator | undefined {
  if (!SIGNS.has(words.here)) return wordOperator(words);
  const foreign = FOREIGN.find(([symbol]) => words.startsWith(symbol));
  const own = SYMBOLS.find((symbol) => words.startsWith(symbol));
  if (foreign && (own?.length ?? 0) < foreign[0].length) {
    const span = { begin: words.at, end: words.at + foreign[0].length };
    throw foreign[0] === '=' ? assignment(words, span, left) : foreignOperator(foreign[0], span);
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

/** True for `not a`: no prefix operator `not` exists, but a field may have that name. */
export function isForeignPrefix(words: Words, ident: string): boolean {
  if (ident.toLowerCase() !== 'not') return false;
  const rest = words.text.slice(words.at + ident.length, Math.min(words.end, words.at + ident.length + 64));
  return /^[ \t\r\n]+(?!(?:and|or|like|in|is)\b)[\p{L}\d_@"$]/u.test(rest);
}

/** What users of other languages are used to write, by the token in lower case. */
const LOGIC_HABITS = new Set(['not', 'in', 'between', '!', '&&', '&', '||', 'and', 'or', 'xor']);
const TEXT_HABITS = new Set(['like', 'contains', 'matches', '~', '=~', '!~']);

export function foreignOperator(token: string, span: Span): QueryError {
  const instead = FOREIGN.find(([symbol]) => symbol === token)?.[1] ?? FOREIGN_WORDS[token.toLowerCase()] ?? '';
  return new QueryError(90203, span, { token, instead }, { hints: habitHints(token) });
}

export function habitHints(token: string): Hint[] {
  const word = token.toLowerCase();
  if (token !== word && (word === 'and' || word === 'or'))
    return [{ code: 91020, values: { word }, replacement: word }];
  if (TEXT_HABITS.has(word)) return [{ code: 91021 }];
  return LOGIC_HABITS.has(word) ? [{ code: 91023 }] : [];
}

/** A single `=` between two operands. */
function assignment(words: Words, span: Span, left: Span | undefined): QueryError {
  const after = new RegExp(OPERAND.source, 'uy');
  after.lastIndex = span.end;
  const right = after.exec(words.text)?.[0].trim();
  const values = {
    left: left ? shortened(words.text.slice(left.begin, left.end)) : '…',
    right: right ? shortened(right) : '…',
  };
  const hints: Hint[] = [{ code: 91001, values, replacement: '==' }];
  return new QueryError(90203, span, { token: '=', instead: '==' }, { hints });
}

/** A string, or a word up to the next mark of an expression. */
export const OPERAND = /[ \t\r\n]*(?:"(?:[^"\\]|\\.)*"|[^ \t\r\n"(),|[\]]+)/u;

const MAX_SHOWN = 40;

/** Text of the query inside of a hint. */
export const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
