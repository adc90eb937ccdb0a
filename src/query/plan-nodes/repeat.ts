// Every row several times.

import type { ColumnId } from '#query/model/expression.ts';
import type { Step } from './plan.ts';
import { counters, nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { alias } from './shared/sql-text.ts';

interface Repeat extends Step {
  readonly kind: 'repeat';
  readonly count: bigint;
  readonly copy: ColumnId;
}

export const repeat: PlanNodeDeclaration<Repeat> = {
  kind: 'repeat',
  takes: 'as-needed',
  expressions: nothing,
  makes: ({ copy }) => counters(copy),
  reads: nothing,
  pushdown: 'lost',
  counts: ({ input, count }) => ({ sumOf: [input], times: count }),
  sql({ input, count, copy, rows }, compiler) {
    // A list of so many numbers would be in memory as a whole, and no signal would stop its making.
    const from = `(select range as ${alias(copy)} from range(${count})) cross join (${compiler.planNode(input)})`;
    return compiler.select(rows, { from });
  },
};
