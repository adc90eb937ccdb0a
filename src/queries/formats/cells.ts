// The elements of a row. Every row of every result passes here, so all elements are returned at once, unlike the general
// scanner, and nothing is validated: engines write valid arrays.

import { endOfString } from '#kernel/json/json-members.ts';
import type { RowText } from '#logs/run.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Each as it is written, without blanks around it. */
export function cellsOf(row: RowText): string[] {
  const cells: string[] = [];
  let depth = -1;
  let from = 0;
  for (let at = 0; at < row.length; at += 1) {
    const code = row.charCodeAt(at);
    if (code === QUOTE) at = endOfString(row, at);
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth += 1;
      if (depth === 0) from = at + 1;
    } else if (depth === 0 && (code === COMMA || code === CLOSING_BRACKET)) {
      cells.push(row.slice(from, at).trim());
      from = at + 1;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
  }
  return cells;
}
