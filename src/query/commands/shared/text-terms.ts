// Parses the TERMS of `fulltext`: words to search, joined by and, or and not. Like expressions it keeps its own stacks.

import { type SlicedWork, SliceSteps } from '#kernel/sliced-work.ts';
import type { Bracket } from '#query/language/command-texts.ts';
import { takeArguments } from '#query/language/expressions/call-arguments.ts';
import { takeExpression } from '#query/language/expressions/expression-parser.ts';
import { assignedText, EXPRESSION_KEYWORDS, expressionText } from '#query/language/expressions/expression-text.ts';
import { BINARY, operatorHere } from '#query/language/expressions/operators.ts';
import { quotedPattern, type StringToken, wildcardParts } from '#query/language/strings.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { Expression, Span } from '#query/model/expression.ts';
import { isConstant } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { type ParsedQuery, subqueryText } from '#query/planning/command.ts';
import { literal } from '#query/values/typing.ts';

const TERM_KEYWORDS = [...EXPRESSION_KEYWORDS, 'not', 'from'];

type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Terms =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Terms[] }
  | { readonly kind: 'not'; readonly operand: Terms }
  | { readonly kind: 'term'; readonly parts: readonly string[] }
  /** Matches any value of the first column of a subquery, in the field or else in any field. */
  | { readonly kind: 'found'; readonly field?: Name; readonly query: ParsedQuery }
  | {
      readonly kind: 'comparison';
      readonly field: Name;
      readonly operator: ComparisonOperator;
      readonly value: Expression;
    }
  | { readonly kind: 'range' | 'iprange'; readonly field: Name; readonly low: Expression; readonly high: Expression };

type Pending = 'and' | 'or' | 'not' | '(';

const PRECEDENCE: Readonly<Record<Pending, number>> = { '(': 0, or: 1, and: 2, not: 3 };
const MAX_DEPTH = 256;

interface Operand {
  readonly terms: Terms;
  readonly depth: number;
}

type ReadSubquery = (bracket: Bracket) => SlicedWork<ParsedQuery>;

export function takeTerms(words: Words, subquery: ReadSubquery): SlicedWork<Terms> {
  return new TermsParser(words, subquery).whole();
}

/** In the order of the text. */
export function subqueriesIn(terms: Terms): ParsedQuery[] {
  if ('operands' in terms) return terms.operands.flatMap(subqueriesIn);
  if (terms.kind === 'not') return subqueriesIn(terms.operand);
  return terms.kind === 'found' ? [terms.query] : [];
}

class TermsParser {
  readonly #words: Words;
  readonly #subquery: ReadSubquery;
  readonly #operands: Operand[] = [];
  readonly #pending: { readonly mark: Pending; readonly span: Span }[] = [];

  /** Count of open parentheses. */
  #open = 0;

  constructor(words: Words, subquery: ReadSubquery) {
    this.#words = words;
    this.#subquery = subquery;
  }

  *whole(): SlicedWork<Terms> {
    const steps = new SliceSteps();
    for (;;) {
      while (this.#takeOpening()) if (steps.isEnd()) yield;
      this.#operands.push({ terms: yield* takeAtom(this.#words, this.#subquery), depth: 1 });
      while (this.#takeClosing()) if (steps.isEnd()) yield;
      if (steps.isEnd()) yield;
      const mark = this.#words.isKeyword('and') ? 'and' : this.#words.isKeyword('or') ? 'or' : undefined;
      if (mark === undefined) return this.#finish();
      this.#reduce(PRECEDENCE[mark]);
      this.#push(mark, mark.length);
    }
  }

  #takeOpening(): boolean {
    if (this.#words.here === '(') return this.#push('(', 1);
    return this.#words.isKeyword('not') && this.#push('not', 3);
  }

  #push(mark: Pending, length: number): true {
    const begin = this.#words.at;
    this.#pending.push({ mark, span: { begin, end: begin + length } });
    if (mark === '(') this.#open += 1;
    this.#words.moveTo(begin + length);
    return true;
  }

  #takeClosing(): boolean {
    if (this.#words.here !== ')' || this.#open === 0) return false;
    this.#reduce(1);
    this.#pending.pop();
    this.#open -= 1;
    return this.#words.take(')');
  }

  #reduce(least: number): void {
    for (let top = this.#pending.at(-1); top && PRECEDENCE[top.mark] >= least; top = this.#pending.at(-1)) {
      this.#pending.pop();
      this.#apply(top.mark, top.span);
    }
  }

  #apply(mark: Pending, span: Span): void {
    const right = this.#operands.pop();
    if (mark === '(' || !right) throw new Error('a parenthesis cannot be applied as an operator');
    if (mark === 'not') {
      this.#add({ kind: 'not', operand: right.terms }, right.depth + 1, span);
      return;
    }
    const left = this.#operands.pop();
    if (!left) throw new Error('an operator has no operand');
    const isSame = left.terms.kind === mark;
    // Only this parser holds an unfinished node, so its operands can be extended in place.
    const operands = isSame && 'operands' in left.terms ? (left.terms.operands as Terms[]) : [left.terms];
    operands.push(right.terms);
    this.#add({ kind: mark, operands }, Math.max(isSame ? left.depth : left.depth + 1, right.depth + 1), span);
  }

  #add(terms: Terms, depth: number, span: Span): void {
    if (depth > MAX_DEPTH) throw new QueryError(90009, span, { what: { term: 'depth' }, n: depth, max: MAX_DEPTH });
    this.#operands.push({ terms, depth });
  }

  #finish(): Terms {
    this.#reduce(1);
    const open = this.#pending.at(-1);
    if (open) throw this.#words.isDone ? new QueryError(90202, open.span) : this.#words.unexpected();
    const whole = this.#operands.pop();
    if (!whole) throw new Error('no term was read');
    return whole.terms;
  }
}

function* takeAtom(words: Words, subquery: ReadSubquery): SlicedWork<Terms> {
  const token = words.takeString();
  if (token) return { kind: 'term', parts: checkedTerm(token) };
  if (words.here === '[') return { kind: 'found', query: yield* subquery(words.takeBracket()) };
  if (words.isDone || words.isKeyword('from') || words.here === ')') {
    throw new QueryError(10100, words.isDone ? words.endSpan : words.token());
  }
  const field = words.takeTarget(TERM_KEYWORDS, () => words.unexpected());
  const operator = (['==', '!=', '<=', '>=', '<', '>'] as const).find((one) => words.startsWith(one));
  if (!operator) throw noComparison(words, field);
  words.take(operator);
  if (operator !== '==') return yield* takeComparison(words, field, operator);
  if (words.here === '[') return { kind: 'found', field, query: yield* subquery(words.takeBracket()) };
  return (yield* takeRange(words, field)) ?? (yield* takeComparison(words, field, operator));
}

/** 10100 for a bare word; an operator of another language has its own error. */
function noComparison(words: Words, field: Name): QueryError {
  const isAlone = words.isDone || words.here === ')' || TERM_KEYWORDS.some((keyword) => words.isKeyword(keyword));
  if (isAlone) return new QueryError(10100, field);
  operatorHere(words, field);
  return words.unexpected();
}

function* takeRange(words: Words, field: Name): SlicedWork<Terms | undefined> {
  const kind = words.isKeyword('range') ? 'range' : words.isKeyword('iprange') ? 'iprange' : undefined;
  if (!kind) return undefined;
  const begin = words.at;
  words.takeKeyword(kind);
  if (words.here !== '(') throw words.isDone ? new QueryError(90200, words.endSpan) : words.unexpected();
  const { args, end } = yield* takeArguments(words, { keywords: [], aggregate: 90307 });
  const [low, high] = args;
  if (!low || !high || args.length > 2)
    throw new QueryError(90301, { begin, end }, { name: kind, n: 2, given: args.length });
  return { kind, field, low: constant(low, kind, 1), high: constant(high, kind, 2) };
}

function* takeComparison(words: Words, field: Name, operator: ComparisonOperator): SlicedWork<Terms> {
  const token = operator === '==' || operator === '!=' ? words.takeString() : undefined;
  if (token) return { kind: 'comparison', field, operator, value: patternOf(token) };
  const value = yield* takeExpression(words, { keywords: ['from'], aggregate: 90307, least: BINARY['+'] });
  return { kind: 'comparison', field, operator, value: constant(value, operator, 2) };
}

function patternOf(token: StringToken): Expression {
  const parts = wildcardParts(token);
  const { begin, end } = token;
  return parts.length === 1 ? literal(parts[0] ?? '', token) : { kind: 'pattern', type: 'string', parts, begin, end };
}

function constant(expression: Expression, name: string, n: number): Expression {
  if (isConstant(expression)) return expression;
  throw new QueryError(90302, expression, { n, name, type: 'any' });
}

const WORD = /[\p{L}\p{Nd}]/u;

/** Checks that stars are at the very start or end, next to a word (10102), and that there is a word (10101). */
function checkedTerm(token: StringToken): string[] {
  const parts = wildcardParts(token);
  const text = parts.join('');
  if (isEveryRow(parts)) return parts;
  if (!WORD.test(text)) throw new QueryError(10101, token);
  const isOpenStart = parts.length > 1 && parts[0] === '';
  const isOpenEnd = parts.length > 1 && parts.at(-1) === '';
  const isValid =
    parts.length - 1 === Number(isOpenStart) + Number(isOpenEnd) &&
    (!isOpenStart || WORD.test([...text][0] ?? '')) &&
    (!isOpenEnd || WORD.test([...text].at(-1) ?? ''));
  if (!isValid) throw new QueryError(10102, token);
  return parts;
}

/** `"*"`. */
export const isEveryRow = (parts: readonly string[]): boolean => parts.length === 2 && parts.join('') === '';

export function termsText(terms: Terms): string {
  switch (terms.kind) {
    case 'term':
      return quotedPattern(terms.parts);
    case 'not':
      return `not ${operandText(terms.operand)}`;
    case 'found':
      return `${terms.field ? `${assignedText(terms.field.text, TERM_KEYWORDS)} == ` : ''}${subqueryText(terms.query)}`;
    case 'comparison': {
      const { field, operator, value } = terms;
      return `${assignedText(field.text, TERM_KEYWORDS)} ${operator} ${valueText(value, operator)}`;
    }
    case 'range':
    case 'iprange': {
      const bounds = [terms.low, terms.high].map((bound) => expressionText(bound)).join(', ');
      return `${assignedText(terms.field.text, TERM_KEYWORDS)} == ${terms.kind}(${bounds})`;
    }
    default: {
      const [first = '', ...others] = terms.operands.map(operandText);
      return `${'('.repeat(Math.max(0, others.length - 1))}${first} ${terms.kind} ${others.join(`) ${terms.kind} `)}`;
    }
  }
}

const operandText = (terms: Terms) => (isAtom(terms) ? termsText(terms) : `(${termsText(terms)})`);

const isAtom = (terms: Terms): boolean =>
  terms.kind === 'term' || terms.kind === 'not' || (terms.kind === 'found' && !terms.field);

function valueText(value: Expression, operator: ComparisonOperator): string {
  const isText = value.kind === 'literal' && typeof value.value === 'string';
  if (isText && (operator === '==' || operator === '!=')) return quotedPattern([String(value.value)]);
  const text = expressionText(value, ['from']);
  const isOperation = value.kind === 'negation' || value.kind === 'arithmetic';
  const isNegative = value.kind === 'literal' && text.startsWith('-');
  return isOperation || isNegative ? `(${text})` : text;
}
