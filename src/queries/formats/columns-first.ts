// Formats whose first line names all columns. Keys of an overflow are known only when every row has gone by, so such a
// result is held: its texts as the engine wrote them, the smallest form there is, and still with a turn of the event
// loop between chunks. Naming the wanted fields avoids it, and is asked of whoever wants more than can be held.

import { tooMuchToHold } from '#contract/errors.ts';
import type { RowText } from '#engines/plan-run.ts';
import { compareText } from '#query/values/order-text.ts';
import { type Blocks, chunked, knownNames, RowReader, type RowsContext } from './rows.ts';

/** Characters that are held of one result. */
const MAX_BUFFERED_CHARACTERS = 64 * 1024 * 1024;

export interface NamedRows {
  readonly names: readonly string[];
  readonly rows: Blocks;
}

export async function withColumnNames(blocks: Blocks, context: RowsContext): Promise<NamedRows> {
  const names = knownNames(context);
  if (context.fields || !context.hasOverflow) return { names, rows: blocks };
  const reader = new RowReader(context);
  const further = new Set<string>();
  const held: (readonly RowText[])[] = [];
  let characters = 0;
  for await (const rows of chunked(blocks)) {
    for (const row of rows) {
      characters += row.length;
      for (const name of reader.overflowNamesOf(row)) further.add(name);
    }
    if (characters > MAX_BUFFERED_CHARACTERS) throw tooMuchToHold(MAX_BUFFERED_CHARACTERS);
    held.push(rows);
  }
  return { names: [...names, ...[...further].sort(compareText)], rows: drain(held) };
}

async function* drain(held: (readonly RowText[])[]): AsyncGenerator<readonly RowText[]> {
  // Let go of what has been written.
  for (let rows = held.shift(); rows; rows = held.shift()) yield rows;
}
