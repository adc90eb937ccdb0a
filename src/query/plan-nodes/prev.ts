// Fields of the row before, null in the first.

import type { ColumnId } from '#query/model/expression.ts';
import type { Step } from './plan.ts';
import { type Assigned, columnsOf, counters, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import { withComputed } from './shared/groups.ts';
import { alias } from './shared/sql-text.ts';

interface Prev extends Step {
  readonly kind: 'prev';
  readonly fields: readonly Assigned[];
  readonly sequence: ColumnId;
}

export const prev: PlanNodeDeclaration<Prev> = {
  kind: 'prev',
  takes: 'all-before-first',
  expressions: ({ fields }) => valuesOf(fields),
  makes: ({ fields, sequence }) => [...counters(sequence), ...columnsOf(fields)],
  reads({ fields, sequence, input }, reading) {
    const read = fields.filter(({ column }) => reading.isRead(column.id));
    reading.expressions(valuesOf(read));
    if (read.length > 0 || reading.isRead(sequence)) reading.order(input.rows);
  },
  pushdown: 'lost',
  counts: 'as-input',

  sql({ input, fields, sequence, rows }, compiler) {
    const read = fields.filter(({ column }) => compiler.isRead(column.id));
    if (read.length === 0 && !compiler.isRead(sequence)) return compiler.planNode(input);
    const order = compiler.order(input.rows);
    const all = compiler.name('frame');
    const own = withComputed(input, read, compiler);
    const computed = new Map<ColumnId, string>([[sequence, `row_number() over ${all}`]]);
    for (const { column } of read) computed.set(column.id, `lag(${alias(column.id)}) over ${all}`);
    return compiler.select(rows, {
      from: own,
      computed,
      tail: `window ${all} as (${order === undefined ? '' : `order by ${order}`})`,
    });
  },
};
