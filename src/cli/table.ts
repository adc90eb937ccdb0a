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

function padded(cell: string, width: number, isNumeric = false): string {
  const blanks = ' '.repeat(width - cellsOf(cell));
  return isNumeric ? blanks + cell : cell + blanks;
}

function cellsOf(text: string): number {
  let cells = 0;
  for (const point of stripVTControlCharacters(text)) cells += NARROWEST.test(point) ? 0 : WIDE.test(point) ? 2 : 1;
  return cells;
}

/** Marks over the letter before, and the vowels and finals of a Korean syllable that is written in its parts. */
const NARROWEST = /\p{Mn}|[\u1160-\u11ff\u200b-\u200d]/u;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
