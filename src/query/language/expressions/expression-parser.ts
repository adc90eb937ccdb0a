// Parses expressions (2.1, 4). It keeps its own stacks instead of recursing, so parentheses may nest as deep as the
// text is long, as they do in the normalized text of a long chain of `or`. Only the depth of the resulting tree is
// bounded.

import { type SlicedWork, SliceSteps } from '#kernel/sliced-work.ts';
import { functionNamed, isAggregateName, knownFunctions } from '#query/functions/index.ts';
import { DIGIT_WORD, type Keywords, kindOfDigitWord, NUMBER } from '#query/language/names.ts';
import { readNumber } from '#query/language/numbers.ts';
import { unescaped, wildcardParts } from '#query/language/strings.ts';
import type { Name, Words } from '#query/language/words.ts';
import type { Expression, ParameterRead, Span } from '#query/model/expression.ts';
import type { FunctionDeclaration } from '#query/model/function.ts';
import type { QueryErrorCode } from '#query/model/messages.ts';
import { QueryError } from '#query/model/query-error.ts';
import { suggestionsFor } from '#query/model/suggestions.ts';
import { call, literal } from '#query/values/typing.ts';
import { deeper, ExpressionStack, NEGATE, type Operand } from './expression-stack.ts';
import { positioned, takeParameterName } from './named-arguments.ts';
import { isCallOf, isQuotedField, misplacedConnective, parameterOf, unreadableWord } from './operands.ts';
import { BINARY, type BinaryOperator, foreignOperator, isForeignPrefix, operatorHere } from './operators.ts';
import { surplusWarning } from './surplus-arguments.ts';

export interface ExpressionContext {
  /** Words that end an expression. */
  readonly keywords: Keywords;
  /** The error code for an aggregate inside: 90307, or 22001 where only an aggregate is allowed. */
  readonly aggregate: QueryErrorCode & (90307 | 22001);
  /** Operators of a lower precedence end the expression. */
  readonly least?: number;
}

export const PLAIN_CONTEXT: ExpressionContext = { keywords: [], aggregate: 90307 };

/** Reads one expression; the cursor is after it. */
export const takeExpression = (words: Words, context: ExpressionContext = PLAIN_CONTEXT): SlicedWork<Expression> =>
  new ExpressionParser(words, context).whole();

/** Reads `$("x")` at the cursor; any sign may follow it. */
export const takeParameter = (words: Words): SlicedWork<ParameterRead> =>
  new ExpressionParser(words, PLAIN_CONTEXT).parameter();

/** An open parenthesis; the bottom frame is the whole expression. */
interface Frame extends Span {
  readonly operands: number;
  readonly pending: number;
  readonly callee?: Callee;
}

interface Callee extends Span {
  readonly called: FunctionDeclaration | 'parameter';
  readonly args: (Operand & { readonly name?: Name })[];
  /** Of the argument that is being read. */
  name?: Name | undefined;
}

class ExpressionParser {
  readonly #words: Words;
  readonly #context: ExpressionContext;
  readonly #stack = new ExpressionStack();
  readonly #frames: Frame[] = [];

  constructor(words: Words, context: ExpressionContext) {
    this.#words = words;
    this.#context = context;
  }

  *parameter(): SlicedWork<ParameterRead> {
    this.#openParameter();
    const made = yield* this.whole({ endsAtClosing: true });
    if (made.kind !== 'parameter') throw new Error('a parameter is read at its beginning');
    return made;
  }

  *whole({ endsAtClosing = false } = {}): SlicedWork<Expression> {
    const steps = new SliceSteps();
    for (;;) {
      while (!this.#takeOperand()) if (steps.isEnd()) yield;
      while (this.#takeClosing()) if (steps.isEnd()) yield;
      if (steps.isEnd()) yield;
      if (endsAtClosing && this.#frames.length === 0) return this.#finish();
      if (this.#takeComma()) continue;
      const operator = operatorHere(this.#words, this.#stack.operands.at(-1)?.expression);
      if (operator && (this.#frames.length > 0 || BINARY[operator] >= (this.#context.least ?? 0))) this.#push(operator);
      else if (this.#frames.length > 0) throw this.#unclosed();
      else return this.#finish();
    }
  }

  /** True after a complete operand; false after a parenthesis or sign, when an operand still has to follow. */
  #takeOperand(): boolean {
    const words = this.#words;
    const begin = words.at;
    const { here } = words;
    if (here === '"') return this.#string();
    if (mayBeDigit(here) && words.match(DIGIT_WORD)) return this.#digitWord();
    if (here === '$' && words.startsWith('$(')) return this.#openParameter();
    if (words.take('(')) return this.#open({ begin, end: begin + 1 });
    if (words.take('-')) {
      this.#stack.pending.push({ operator: 'negate', precedence: NEGATE, begin, end: begin + 1 });
      return false;
    }
    const ident = words.ident();
    if (ident !== undefined) return this.#word(ident);
    if (here === ')' && this.#isEmptyCall()) return this.#closeCall();
    throw this.#noOperand();
  }

  /** A number, or a name that begins with a digit (2.5). */
  #digitWord(): boolean {
    const words = this.#words;
    const word = words.match(DIGIT_WORD) ?? '';
    const isNumber = (words.match(NUMBER) ?? '').length >= word.length;
    const kind = isNumber ? 'number' : kindOfDigitWord(word);
    if (kind === 'name') return this.#word(word);
    if (kind === 'number') return this.#stack.add(readNumber(words, this.#signed()));
    throw unreadableWord(words, word, kind === 'duration');
  }

  #signed(): boolean {
    return (
      this.#stack.pending.at(-1)?.operator === 'negate' &&
      this.#stack.pending.length > (this.#frames.at(-1)?.pending ?? 0)
    );
  }

  #string(): true {
    const token = this.#words.takeString();
    if (!token) throw this.#noOperand();
    const { begin, end } = token;
    if (!this.#isWild()) {
      const inner = unescaped(token);
      return this.#stack.add({ ...literal(inner.text, token), inner });
    }
    const parts = wildcardParts(token);
    if (parts.length === 1) return this.#stack.add(literal(parts[0] ?? '', token));
    return this.#stack.add({ kind: 'pattern', type: 'string', parts, begin, end });
  }

  /**
   * True if the string just read is the whole right side of == or !=, or a whole argument that accepts wildcards (4.4).
   */
  #isWild(): boolean {
    const frame = this.#frames.at(-1);
    const isFirst =
      this.#stack.operands.length === (frame?.operands ?? 0) && this.#stack.pending.length === (frame?.pending ?? 0);
    const next = this.#words.here;
    if (!isFirst) {
      const before = this.#stack.pending.at(-1)?.operator;
      return (before === '==' || before === '!=') && !(next !== '' && '+-*/<>'.includes(next));
    }
    const callee = frame?.callee;
    if (!callee || callee.called === 'parameter' || (next !== ',' && next !== ')')) return false;
    const { args } = callee.called;
    return args[Math.min(callee.args.length, args.length - 1)]?.wild === true;
  }

  #word(ident: string): boolean {
    const words = this.#words;
    const span = { begin: words.at, end: words.at + ident.length };
    if (ident === 'and' || ident === 'or') throw misplacedConnective(words, ident);
    if (ident === 'true' || ident === 'false' || ident === 'null') {
      words.moveTo(span.end);
      return this.#stack.add(literal(ident === 'null' ? null : ident === 'true', span));
    }
    if (isCallOf(words, ident)) return isQuotedField(words, ident) ? this.#quotedField() : this.#openCall(ident, span);
    if (isForeignPrefix(words, ident)) throw foreignOperator(ident, span);
    const name = words.takeOperandName(this.#context.keywords, () => this.#noOperand(), ident);
    return this.#stack.add({ kind: 'field', name: name.text, type: 'any', begin: name.begin, end: name.end });
  }

  #quotedField(): true {
    const { text: name, begin, end } = this.#words.takeOperandName([], () => this.#noOperand());
    return this.#stack.add({ kind: 'field', name, type: 'any', begin, end, isQuoted: true });
  }

  #openCall(ident: string, span: Span): boolean {
    const called = functionNamed(ident);
    if (!called && isAggregateName(ident)) throw new QueryError(this.#context.aggregate, span, { name: ident });
    if (!called) {
      throw new QueryError(90300, span, { name: ident }, { suggestions: suggestionsFor(ident, knownFunctions()) });
    }
    this.#words.moveTo(span.end);
    const opened = { begin: this.#words.at, end: this.#words.at + 1 };
    this.#words.take('(');
    const name = takeParameterName(this.#words, called, []);
    return this.#open(opened, { called, args: [], name, begin: span.begin, end: opened.end });
  }

  #openParameter(): boolean {
    const begin = this.#words.at;
    const opened = { begin: begin + 1, end: begin + 2 };
    this.#words.moveTo(begin + 2);
    if (this.#words.here !== '"') {
      if (this.#words.isDone) throw new QueryError(90202, opened);
      throw new QueryError(90302, this.#words.token(), { n: 1, name: '$', type: { term: 'string' } });
    }
    return this.#open(opened, { called: 'parameter', args: [], begin, end: opened.end });
  }

  #open(opened: Span, callee?: Callee): false {
    const { begin, end } = opened;
    const base = { begin, end, operands: this.#stack.operands.length, pending: this.#stack.pending.length };
    this.#frames.push(callee ? { ...base, callee } : base);
    return false;
  }

  #isEmptyCall(): boolean {
    const frame = this.#frames.at(-1);
    if (!frame?.callee || frame.callee.args.length > 0 || frame.callee.name) return false;
    return this.#stack.operands.length === frame.operands && this.#stack.pending.length === frame.pending;
  }

  #takeComma(): boolean {
    const callee = this.#frames.at(-1)?.callee;
    if (!callee || this.#words.here !== ',') return false;
    this.#stack.reduce(this.#frames.at(-1)?.pending ?? 0, 0);
    this.#endArgument(callee);
    this.#words.take(',');
    if (callee.called !== 'parameter') callee.name = takeParameterName(this.#words, callee.called, callee.args);
    return true;
  }

  #endArgument(callee: Callee): void {
    const { name } = callee;
    callee.args.push(name ? { ...this.#stack.pop(), name } : this.#stack.pop());
    callee.name = undefined;
  }

  #takeClosing(): boolean {
    const frame = this.#frames.at(-1);
    if (!frame || this.#words.here !== ')') return false;
    this.#stack.reduce(this.#frames.at(-1)?.pending ?? 0, 0);
    if (frame.callee) {
      this.#endArgument(frame.callee);
      return this.#closeCall();
    }
    this.#words.take(')');
    this.#frames.pop();
    return true;
  }

  #closeCall(): true {
    const callee = this.#frames.pop()?.callee;
    const end = this.#words.at + 1;
    this.#words.take(')');
    if (!callee) throw new Error('the frame to close is not a call');
    const span = { begin: callee.begin, end };
    const made =
      callee.called === 'parameter'
        ? parameterOf(
            callee.args.map(({ expression }) => expression),
            span,
          )
        : call(callee.called, this.#arguments(callee.called, positioned(callee.called, callee.args, span), span), span);
    return this.#stack.add(made, deeper(callee.args, span));
  }

  #arguments(called: FunctionDeclaration, args: readonly Expression[], span: Span): readonly Expression[] {
    const warning = surplusWarning(called, args, span);
    if (!warning) return args;
    this.#words.warn(warning);
    return args.slice(0, called.args.length);
  }

  /** Reduces the operators of higher precedence, then pushes this one to wait for its right side. */
  #push(operator: BinaryOperator): void {
    const precedence = BINARY[operator];
    const span = { begin: this.#words.at, end: this.#words.at + operator.length };
    const last = this.#stack.reduce(this.#frames.at(-1)?.pending ?? 0, precedence);
    if (last === precedence && (precedence === BINARY['=='] || precedence === BINARY['<'])) {
      throw new QueryError(90204, span);
    }
    this.#words.moveTo(span.end);
    this.#stack.pending.push({ operator, precedence, ...span });
  }

  #finish(): Expression {
    this.#stack.reduce(this.#frames.at(-1)?.pending ?? 0, 0);
    return this.#stack.pop().expression;
  }

  #noOperand(): QueryError {
    const words = this.#words;
    if (words.isDone) return this.#openError() ?? new QueryError(90200, words.endSpan);
    const span = words.token();
    if (words.here === '!' && !words.startsWith('!='))
      return foreignOperator('!', { begin: span.begin, end: span.begin + 1 });
    if (words.here === ',' || words.here === ')') return new QueryError(90200, span);
    return words.unexpected();
  }

  #unclosed(): QueryError {
    return (this.#words.isDone ? this.#openError() : undefined) ?? this.#words.unexpected();
  }

  #openError(): QueryError | undefined {
    const frame = this.#frames.at(-1);
    return frame ? new QueryError(90202, { begin: frame.begin, end: frame.end }) : undefined;
  }
}

/** Digits of other scripts begin names too. */
const mayBeDigit = (here: string) => (here >= '0' && here <= '9') || here > '\u007f';
