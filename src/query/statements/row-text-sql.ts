// Row texts as DuckDB writes them; `rows/row-texts.ts` reads them.

import { idsOf } from '#query/model/columns.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { alias } from '#query/plan-nodes/shared/sql-text.ts';
import { toAny } from '#query/sql/conversion.ts';
import type { SqlType } from '#query/sql/scope.ts';

/** The cells that `localRowOf` reads. */
export function localTextSql({ rows }: PlanNode, compiler: PlanCompiler): string {
  const cells = idsOf(rows).map((id) => toAny(compiler.column(id), compiler.writer()).text);
  return `json_array(${cells.join(', ')})::varchar`;
}

/** Dates are milliseconds and binaries base64; tags are only where the type does not tell. */
export function rowTextSql({ rows: { columns, overflow } }: PlanNode, compiler: PlanCompiler): string {
  const cells = columns.map(({ id }) => writtenCell(compiler.typeOf(id), alias(id)));
  return `json_array(${[...cells, ...(overflow ? [alias(overflow.id)] : [])].join(', ')})::varchar`;
}

export const writtenCell = (type: SqlType, column: string): string => WRITTEN[type]?.(column) ?? column;

const WRITTEN: Partial<Record<SqlType, (column: string) => string>> = {
  date: (column) => `epoch_ms(${column})`,
  binary: (column) => `to_base64(${column})`,
  number: (column) => `vigil_of_number(${column})`,
};
