// Rows in another order.

import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { type Assigned, columnsOf, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import { cut } from './shared/sql-text.ts';

export interface Sort extends Step {
  readonly kind: 'sort';
  /** Hidden copies of the values that are sorted by; `rows.order` begins with `by`, then `keys`. */
  readonly by: readonly Assigned[];
  readonly keys: readonly (Assigned & { readonly descending: boolean })[];
  /** Per partition where there is a `by`. */
  readonly limit?: bigint;
}

export const sort: PlanNodeDeclaration<Sort> = {
  kind: 'sort',
  takes: 'all-before-first',
  expressions: ({ by, keys }) => valuesOf([...by, ...keys]),
  makes: ({ by, keys }) => columnsOf([...by, ...keys]),
  reads({ by, keys, limit, input }, reading) {
    for (const { column, value } of [...by, ...keys]) {
      if (limit !== undefined || reading.isRead(column.id)) reading.expression(value);
    }
    if (limit !== undefined) reading.order(input.rows);
  },
  pushdown: ({ limit }) => (limit === undefined ? 'kept' : 'lost'),
  parts: 'carried',
  counts: ({ limit }) => (limit === undefined ? 'as-input' : 'some-of-input'),
  maxRows: ({ by, limit }) => (by.length === 0 ? limit : undefined),
  sql,
};

/** The keys become columns; the outer statement puts rows in order. */
function sql({ input, by, keys, limit, rows }: Sort, compiler: PlanCompiler): string {
  const from = compiler.planNode(input);
  const made = [...by, ...keys].filter(({ column }) => compiler.isRead(column.id) || limit !== undefined);
  const computed = new Map(made.map(({ column, value }) => [column.id, compiler.expression(value, column.type)]));
  const ids = [...new Set([...compiler.outputs(rows), ...computed.keys()])];
  const sorted = compiler.select(ids, { from: `(${from})`, computed });
  if (limit === undefined) return sorted;
  const order = [
    ...keys.map(({ column, descending }) => compiler.sorted(compiler.column(column.id), { descending })),
    ...(compiler.order(input.rows) === undefined ? [] : [compiler.order(input.rows)]),
  ].join(', ');
  if (by.length === 0) return `select * from (${sorted}) order by ${order} ${cut(limit)}`;
  const partition = by.flatMap(({ column }) => compiler.keys(compiler.column(column.id))).join(', ');
  return `select * from (${sorted}) qualify row_number() over (partition by ${partition} order by ${order}) <= ${limit}`;
}
