// Aligned columns for terminals. Korean letters take two cells, so widths are counted in cells.

import { stripVTControlCharacters } from 'node:util';
import { cellsOf as cellsOfText } from '#kernel/cells.ts';

/** `isNumeric` says which columns stand to the right. */
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

/** Text from elsewhere must not steer the terminal it is shown on: controls and changes of direction become a dot. */
export const harmless = (text: string): string => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '·');

/** Cut to so many cells, with a mark where something is missing. */
export function cut(text: string, cells: number): string {
  if (text.length <= cells / 2 || cellsOf(text) <= cells) return text;
  let [taken, width] = ['', 0];
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

/** Without what steers the terminal. */
export const cellsOf = (text: string): number => cellsOfText(stripVTControlCharacters(text));
