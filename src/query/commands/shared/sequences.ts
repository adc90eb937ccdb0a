// The order of rows for commands that read preceding rows (streamstats, prev).

import type { Rows } from '#query/model/columns.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';

/**
 * Replaces the sort keys by a hidden row number: rows with equal keys have no defined order, but the output must keep
 * the order in which the command has read them.
 */
export function inSequence(
  rows: Rows,
  planning: CommandPlanning<unknown>,
): { readonly rows: Rows; readonly sequence: ColumnId } {
  const sequence = planning.hiddenColumn();
  return { rows: rows.order ? { ...rows, order: [{ column: sequence, descending: false }] } : rows, sequence };
}
