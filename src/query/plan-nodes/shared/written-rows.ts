// Rows that a statement brings with it as values.

import type { ColumnId } from '#query/model/expression.ts';
import type { MapValue } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { asType, overflowKey } from '#query/sql/conversion.ts';

/** All values are one bound list. `sequence` is a column for the position of a row. */
export function writtenRows(
  { rows }: PlanNode,
  { values, sequence }: { readonly values: readonly MapValue[]; readonly sequence?: ColumnId },
  compiler: PlanCompiler,
): string {
  const row = compiler.name('row');
  const position = compiler.name('position');
  const list = compiler.bind([...values]).text;
  const writer = compiler.writer();
  const computed = new Map(
    rows.columns.map(({ id, name, type }) => {
      const value = overflowKey({ text: row, type: 'map', isPlain: true }, name, writer);
      return [id, compiler.converted(asType(value, type, writer), type)] as const;
    }),
  );
  if (sequence !== undefined) computed.set(sequence, position);
  const from = `(select unnest(${list}->'$[*]') as ${row}, unnest(range(${values.length})) as ${position})`;
  return compiler.select(rows, { from, computed });
}
