// Aligned columns for terminals. Korean letters take two cells, so widths are counted in cells.

import { stripVTControlCharacters } from 'node:util';
import { cellsOf as cellsOfText } from '#kernel/text/cells.ts';

/** `isNumeric` names the columns that are aligned to the right. */
export function columns(rows: readonly (readonly string[])[], isNumeric: readonly boolean[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cellsOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0, isNumeric[index]))
      .join('  ')
      .trimEnd(),
  );
}

/** Foreign text must not control the terminal: control characters and changes of direction become a dot. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '·');

/** Cuts a text to a number of cells; an ellipsis marks the cut. */
export function cut(text: string, cells: number): string {
  if (text.length <= cells / 2 || cellsOf(text) <= cells) return text;
  let taken = '';
  let width = 0;
  for (const point of text) {
    width += cellsOf(point);
    if (width > cells - 1) break;
    taken += point;
  }
  return `${taken}…`;
}

function padded(cell: string, width: number, isNumeric = false): string {
  const blanks = ' '.repeat(width - cellsOf(cell));
  return isNumeric ? blanks + cell : cell + blanks;
}

/** The width of a text; control sequences have none. */
export const cellsOf = (text: string): number => cellsOfText(stripVTControlCharacters(text));
