// The view of a typed text on a terminal: rows of cells, and the position of the cursor.

import { printable } from '#cli/kit/output/text-table.ts';
import { cellsOf } from '#kernel/text/cells.ts';

interface Typed {
  readonly text: string;
  readonly cursor: number;
  /** The prompts of the first line and of further lines. */
  readonly prompts: readonly [string, string];
}

export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

export interface View {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The last column stays free: terminals differ in their behaviour there. */
export function viewOf({ text, cursor, prompts }: Typed, { columns, rows: most }: Screen): View {
  const width = Math.max(columns - 1, cellsOf(prompts[0]) + 2);
  const rows: string[] = [];
  let row = prompts[0];
  let used = cellsOf(row);
  let position = { row: 0, column: used };
  const begin = (prompt: string) => {
    rows.push(row);
    row = prompt;
    used = cellsOf(prompt);
  };
  let at = 0;
  for (const point of text) {
    if (at === cursor) position = { row: rows.length, column: used };
    at += point.length;
    if (point === '\n') {
      begin(prompts[1]);
      continue;
    }
    const { shown, cells } = shownPoint(point);
    if (used + cells > width) begin('');
    row += shown;
    used += cells;
  }
  if (at <= cursor) position = { row: rows.length, column: used };
  return windowOf({ rows: [...rows, row], cursor: position }, Math.max(most - 1, 1));
}

/** Fast for ASCII: the whole text is measured with every key. */
function shownPoint(point: string): { shown: string; cells: number } {
  if (point >= ' ' && point <= '~') return { shown: point, cells: 1 };
  const shown = point === '\t' ? ' ' : printable(point);
  return { shown, cells: cellsOf(shown) };
}

/** A text higher than the screen is shown around its cursor. */
function windowOf({ rows, cursor }: View, most: number): View {
  const from = Math.min(Math.max(0, cursor.row - most + 1), Math.max(0, rows.length - most));
  return { rows: rows.slice(from, from + most), cursor: { ...cursor, row: cursor.row - from } };
}

/** Choices in columns, as many as fit, and the number of others. */
export function choiceRows(
  choices: readonly string[],
  { columns, rows: most }: Screen,
): { rows: string[]; left: number } {
  const shown = choices.map((choice) => printable(choice.trimEnd()));
  const width = Math.max(1, ...shown.map(cellsOf)) + 2;
  const across = Math.max(1, Math.floor((columns - 1) / width));
  const down = Math.min(Math.ceil(shown.length / across), Math.max(most - 3, 1));
  const rows = Array.from({ length: down }, (_, row) =>
    Array.from({ length: across }, (_, column) => shown[row + column * Math.ceil(shown.length / across)] ?? '')
      .map((choice) => choice + ' '.repeat(width - cellsOf(choice)))
      .join('')
      .trimEnd(),
  );
  return { rows, left: Math.max(0, shown.length - across * down) };
}
