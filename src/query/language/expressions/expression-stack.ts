// The operand and operator stacks of the expression parser: operators wait here until their right side is complete.

import type { Expression, Logic, Span } from '#query/model/expression.ts';
import { QueryError } from '#query/model/query-error.ts';
import { arithmetic, comparison, logic, negation } from '#query/values/typing.ts';
import type { BinaryOperator } from './operators.ts';

/** Limit of the depth of a tree: every later stage recurses over it. */
const MAX_DEPTH = 256;

export const NEGATE = 520;

export interface Operand {
  readonly expression: Expression;
  readonly depth: number;
}

interface Pending extends Span {
  readonly operator: BinaryOperator | 'negate';
  readonly precedence: number;
}

export class ExpressionStack {
  readonly operands: Operand[] = [];
  readonly pending: Pending[] = [];

  add(expression: Expression, depth = 1): true {
    this.operands.push({ expression, depth });
    return true;
  }

  /**
   * Applies the pending operators of this frame with at least this precedence; returns the precedence of the last one.
   */
  reduce(bottom: number, least: number): number | undefined {
    let last: number | undefined;
    for (let top = this.pending.at(-1); this.pending.length > bottom && top; top = this.pending.at(-1)) {
      if (top.precedence < least) break;
      this.pending.pop();
      this.#apply(top);
      last = top.precedence;
    }
    return last;
  }

  #apply({ operator, begin }: Pending): void {
    const right = this.pop();
    if (operator === 'negate') {
      const made = negation(right.expression, { begin, end: right.expression.end });
      this.add(made, made.kind === 'literal' ? 1 : deeper([right], made));
      return;
    }
    const left = this.pop();
    if (operator === 'and' || operator === 'or') {
      this.#chain(operator, left, right);
      return;
    }
    const made =
      operator === '+' || operator === '-' || operator === '*' || operator === '/'
        ? arithmetic(operator, left.expression, right.expression)
        : comparison(operator, left.expression, right.expression);
    this.add(made, deeper([left, right], made));
  }

  #chain(operator: Logic['operator'], left: Operand, right: Operand): void {
    const span = { begin: left.expression.begin, end: right.expression.end };
    const first = left.expression;
    const isSame = first.kind === 'logic' && first.operator === operator;
    // Only this stack holds the operands of an unfinished node, so they can be extended in place; copying would be
    // quadratic.
    const operands = isSame ? (first.operands as Expression[]) : [first];
    operands.push(right.expression);
    const depth = deeper([{ ...left, depth: isSame ? left.depth - 1 : left.depth }, right], span);
    this.add(logic(operator, operands, span), depth);
  }

  pop(): Operand {
    const operand = this.operands.pop();
    if (!operand) throw new Error('an operator has no operand');
    return operand;
  }
}

export function deeper(operands: readonly Operand[], span: Span): number {
  let depth = 1;
  for (const operand of operands) depth = Math.max(depth, operand.depth + 1);
  if (depth > MAX_DEPTH) throw new QueryError(90009, span, { what: { term: 'depth' }, n: depth, max: MAX_DEPTH });
  return depth;
}
