// Marks the errors of a line below it, cell by cell.

import type { FoundQueryError } from '#cli/kit/failures/findings.ts';
import { cellsOf } from '#kernel/text/cells.ts';

export function caretRow(text: string, mistakes: readonly Pick<FoundQueryError, 'begin' | 'end'>[]): string {
  let row = '';
  for (const { begin, end } of mistakes.toSorted((one, other) => one.begin - other.begin)) {
    const from = cellsOf(text.slice(0, begin));
    const marked = Math.max(1, cellsOf(text.slice(begin, end)));
    row = row.padEnd(from) + '^'.repeat(Math.max(0, from + marked - Math.max(row.length, from)));
  }
  return row;
}
