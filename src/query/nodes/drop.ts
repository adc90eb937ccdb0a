// Hands on no row.

import { type NodeDeclaration, nothing } from './node.ts';
import type { Step } from './plan.ts';

interface Drop extends Step {
  readonly kind: 'drop';
}

export const drop: NodeDeclaration<Drop> = {
  kind: 'drop',
  takes: 'as-needed',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'lost',
  counts: { exactly: 0n },
  sql: ({ input, rows }, compiler) => compiler.select(rows, { from: `(${compiler.node(input)})`, tail: 'where false' }),
  host: { row: () => () => false },
};
