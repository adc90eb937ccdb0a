// Writes expressions as normalized text (12.3): an operator that is an operand of another operator stands in
// parentheses.

import { listedText } from '#query/language/listed-names.ts';
import { type Keywords, operandText, targetText } from '#query/language/names.ts';
import { numberText } from '#query/language/numbers.ts';
import { quoted, quotedPattern } from '#query/language/strings.ts';
import type { AggregateCall, Call, Expression, Logic } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';

export const EXPRESSION_KEYWORDS: Keywords = ['and', 'or', 'true', 'false', 'null'];

/** `keywords` are reserved in addition to those of every expression. */
export function expressionText(expression: Expression, keywords: Keywords = []): string {
  return new ExpressionWriter([...EXPRESSION_KEYWORDS, ...keywords]).text(expression);
}

/** The text without `as`; it is also the default name of the output column. */
export function aggregateText({ called, args }: Pick<AggregateCall, 'called' | 'args'>, keywords: Keywords): string {
  const texts = args.map((arg) => expressionText(arg, keywords));
  return texts.length === 0 ? called.name : `${called.name}(${texts.join(', ')})`;
}

/** A name in a list of names. */
export const fieldText = (name: string, keywords: Keywords): string => listedText(name, keywords, quoted);

/** A name left of `=`. */
export const assignedText = (name: string, keywords: Keywords): string => targetText(name, keywords, quoted);

/** A name in an expression. */
export const operandFieldText = (name: string, keywords: Keywords): string => operandText(name, keywords, quoted);

export const fieldsText = (names: readonly { text: string }[], keywords: Keywords): string =>
  names.map(({ text }) => fieldText(text, keywords)).join(', ');

class ExpressionWriter {
  readonly #keywords: Keywords;

  constructor(keywords: Keywords) {
    this.#keywords = keywords;
  }

  text(expression: Expression): string {
    switch (expression.kind) {
      case 'literal':
        return literalText(expression.value);
      case 'pattern':
        return quotedPattern(expression.parts);
      case 'field':
        return operandFieldText(expression.name, this.#keywords);
      case 'parameter': {
        const fallback = expression.fallback ? `, ${this.text(expression.fallback)}` : '';
        return `$(${quoted(expression.name)}${fallback})`;
      }
      case 'negation':
        return `-${this.#operand(expression.operand)}`;
      case 'arithmetic':
        return `${this.#operand(expression.left)} ${expression.operator} ${this.#operand(expression.right)}`;
      case 'comparison': {
        const isWild = expression.operator === '==' || expression.operator === '!=';
        const right = isWild ? this.#wild(expression.right) : undefined;
        return `${this.#operand(expression.left)} ${expression.operator} ${right ?? this.#operand(expression.right)}`;
      }
      case 'logic':
        return this.#chain(expression);
      case 'call':
        return this.#call(expression);
    }
  }

  #operand(expression: Expression): string {
    const text = this.text(expression);
    return isOperation(expression) ? `(${text})` : text;
  }

  /** The text of a string where a star is a wildcard. */
  #wild(expression: Expression): string | undefined {
    const isText = expression.kind === 'literal' && typeof expression.value === 'string';
    return isText ? quotedPattern([String(expression.value)]) : undefined;
  }

  /** Nests from left to right: `((a or b) or c) or d`. */
  #chain({ operator, operands }: Logic): string {
    const [first = '', ...others] = operands.map((operand) => this.#operand(operand));
    const opening = '('.repeat(Math.max(0, others.length - 1));
    return `${opening}${first} ${operator} ${others.join(`) ${operator} `)}`;
  }

  #call({ called, args }: Call): string {
    const texts = args.map((arg, index) => {
      const declared = called.args[Math.min(index, called.args.length - 1)];
      return (declared?.wild ? this.#wild(arg) : undefined) ?? this.text(arg);
    });
    return `${called.name}(${texts.join(', ')})`;
  }
}

function literalText(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'bigint' || typeof value === 'number' ? numberText(value) : String(value);
}

function isOperation(expression: Expression): boolean {
  const { kind } = expression;
  if (kind === 'literal') return isNegative(expression.value);
  return kind === 'negation' || kind === 'arithmetic' || kind === 'comparison' || kind === 'logic';
}

const isNegative = (value: Value) =>
  (typeof value === 'bigint' && value < 0n) || (typeof value === 'number' && (value < 0 || Object.is(value, -0)));
