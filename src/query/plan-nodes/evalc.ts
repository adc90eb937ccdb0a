// Sets parameters for each row, in order: `before` is what they held when the row came, `initial` their value before the
// first row. Later assignments see earlier ones. Runs locally.

import type { Column } from '#query/model/columns.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { Step } from './plan.ts';
import { type Assigned, counters, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import { onlyLocal } from './shared/local-rows.ts';

interface Evalc extends Step {
  readonly kind: 'evalc';
  readonly before: readonly { readonly column: Column; readonly initial: Value }[];
  /** Columns are named by their parameters. */
  readonly assigned: readonly Assigned[];
  readonly sequence: ColumnId;
}

export const evalc: PlanNodeDeclaration<Evalc> = {
  kind: 'evalc',
  takes: 'as-needed',
  expressions: ({ assigned }) => valuesOf(assigned),
  makes: ({ sequence }) => counters(sequence),
  reads({ assigned, input }, reading) {
    // All of them are evaluated for every row, read or not.
    reading.expressions(valuesOf(assigned));
    reading.order(input.rows);
  },
  pushdown: 'lost',
  counts: 'as-input',
  sql: onlyLocal,

  local: {
    begins: () => true,
    rows(node, { scope, parameters, position }) {
      const assigned = node.assigned.map(({ column, value }) => ({ column, evaluate: scope.value(value) }));
      return (row) => {
        row[node.sequence] = position() - 1n;
        for (const { column, initial } of node.before) {
          row[column.id] = parameters.has(column.name) ? (parameters.get(column.name) ?? null) : initial;
        }
        for (const { column, evaluate } of assigned) {
          const value = evaluate(row);
          row[column.id] = value;
          parameters.set(column.name, value);
        }
        return row;
      };
    },
  },
};
