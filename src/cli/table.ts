// Aligned columns for terminals. Korean letters take two cells, so widths are counted in cells.

import { stripVTControlCharacters } from 'node:util';

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

export function cellsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let cells = 0;
  for (const point of stripVTControlCharacters(text)) cells += NARROWEST.test(point) ? 0 : WIDE.test(point) ? 2 : 1;
  return cells;
}

/** Marks over the letter before, and the vowels and finals of a Korean syllable that is written in its parts. */
const NARROWEST = /\p{Mn}|[\u1160-\u11ff\u200b-\u200d]/u;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
