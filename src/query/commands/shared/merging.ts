// Merges the columns of two inputs for join and union: matched by name, the left ones first.

import type { Rows } from '#query/model/columns.ts';
import { fieldIn, isColumn, mergedKeys, mergedNames } from '#query/model/columns.ts';
import type { ColumnId, FieldRead, Span } from '#query/model/expression.ts';
import { type ColumnType, unified } from '#query/model/values.ts';
import type { Merged, MergedOverflow } from '#query/plan-nodes/shared/merges.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

interface MergedRows {
  readonly merged: readonly Merged[];
  readonly overflow?: MergedOverflow;
  readonly rows: Rows;
}

export function mergedRows(
  left: Rows | undefined,
  right: Rows,
  {
    planning,
    typeOf = unified,
  }: { planning: CommandPlanning<unknown>; typeOf?: (l: ColumnType, r: ColumnType) => ColumnType },
): MergedRows {
  const known = new Set([...(left?.columns ?? []), ...right.columns].map(({ name }) => name));
  const both = [...(left?.unlisted ?? []), ...(right.unlisted ?? [])].map(({ name }) => name);
  const unlisted = new Set(both).difference(known);
  const merged = [...known, ...unlisted].map((name): Merged => {
    const sides = { ...side('left', left, name, planning.span), ...side('right', right, name, planning.span) };
    const { left: leftField, right: rightField } = sides;
    const type = leftField && rightField ? typeOf(leftField.type, rightField.type) : (leftField ?? rightField)?.type;
    return { column: planning.newColumn(name, type ?? 'any'), ...sides };
  });
  const isOpen = left?.overflow !== undefined || right.overflow !== undefined;
  const id = isOpen ? planning.hiddenColumn() : undefined;
  const overflow = id === undefined ? {} : { overflow: { id, without: [], ...mergedKeys(left, right) } };
  const dynamic = left?.dynamic || right.dynamic ? { dynamic: true as const } : {};
  const columns = merged.map(({ column }) => column);
  const hidden = unlisted.size > 0 ? { unlisted: columns.filter(({ name }) => unlisted.has(name)) } : {};
  const listed = columns.filter(({ name }) => known.has(name));
  const rows = { columns: listed, ...hidden, ...overflow, ...dynamic, ...mergedNames(left, right) };
  return { merged, rows, ...(id === undefined ? {} : { overflow: mergedOverflow(id, left, right) }) };
}

const mergedOverflow = (id: ColumnId, left: Rows | undefined, right: Rows): MergedOverflow => ({
  id,
  ...(left?.overflow ? { left: left.overflow } : {}),
  ...(right.overflow ? { right: right.overflow } : {}),
});

function side(
  which: 'left' | 'right',
  rows: Rows | undefined,
  name: string,
  span: Span,
): Partial<Record<'left' | 'right', FieldRead>> {
  if (!rows || (!isColumn(rows, name) && !rows.overflow)) return {};
  const field = fieldIn(rows, name, span);
  return field.source?.kind === 'absent' ? {} : { [which]: field };
}
