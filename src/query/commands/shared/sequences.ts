// Rows of commands that look at the rows before each (streamstats, prev).

import type { Rows } from '#query/model/columns.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

/**
 * Where rows of equal keys may come in any order, they are handed on in the order that the command has seen them in: by a
 * hidden count of the rows in place of the keys.
 */
export function inSequence(
  rows: Rows,
  planning: CommandPlanning<unknown>,
): { readonly rows: Rows; readonly sequence: ColumnId } {
  const sequence = planning.hiddenColumn();
  return { rows: rows.order ? { ...rows, order: [{ column: sequence, descending: false }] } : rows, sequence };
}
