// Rows that the text of the query writes out.

import type { Column } from '#query/model/columns.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { MapValue } from '#query/model/values.ts';
import type { Row } from '#query/rows/row.ts';
import type { PlanNode } from './plan.ts';
import { counters, nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { writtenRows } from './shared/written-rows.ts';

interface JsonRows extends PlanNode {
  readonly kind: 'json';
  readonly values: readonly MapValue[];
  readonly sequence: ColumnId;
}

export const json: PlanNodeDeclaration<JsonRows> = {
  kind: 'json',
  takes: 'no-rows',
  expressions: nothing,
  makes: ({ sequence }) => counters(sequence),
  reads: nothing,
  pushdown: 'lost',
  counts: ({ values }) => ({ exactly: BigInt(values.length) }),
  isCountedFast: true,
  writtenRows: ({ values, rows: { columns } }) => values.map((value) => rowOf(value, columns)),
  sql: (node, compiler) => writtenRows(node, node, compiler),
};

function rowOf(value: MapValue, columns: readonly Column[]): Row {
  const row: Row = [];
  for (const { id, name } of columns) row[id] = value.get(name) ?? null;
  return row;
}
