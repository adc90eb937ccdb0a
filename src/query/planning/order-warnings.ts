// 90901: expressions that depend on the order of rows where none is defined (6.3).

import { type Expression, isOrdered, type Span } from '#query/model/expression.ts';

interface Warns {
  warnUnordered(span?: Span): void;
}

export function warnOrderedFunctions(expressions: readonly Expression[], planning: Warns): void {
  for (const expression of expressions) {
    if (isOrdered(expression)) planning.warnUnordered(expression);
  }
}
