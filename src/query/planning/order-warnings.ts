// 90901: what depends on the order of rows where none is defined (6.3).

import { type Expression, type Span, someWithin } from '#query/model/expression.ts';

interface Warns {
  warnUnordered(span?: Span): void;
}

export function warnOrderedFunctions(expressions: readonly Expression[], planning: Warns): void {
  for (const expression of expressions) {
    if (someWithin(expression, isOrdered)) planning.warnUnordered(expression);
  }
}

const isOrdered = (expression: Expression) => expression.kind === 'call' && expression.called.ordered === true;
