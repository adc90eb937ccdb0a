// Formats whose first line names all columns. Keys of an overflow are known only after the last row, so such a result is
// buffered as the texts of the engine, the smallest form, yielding to the event loop between chunks. A request that names
// its fields needs no buffer; a result beyond the buffer limit is refused with that advice.

import { tooMuchToHold } from '#contract/errors.ts';
import type { RowText } from '#logs/run.ts';
import { compareText } from '#query/values/order-text.ts';
import { type Blocks, chunked, knownNames, RowReader, type RowsContext } from './rows.ts';

/** Maximum of buffered characters of one result. */
const MAX_BUFFERED_CHARACTERS = 64 * 1024 * 1024;

interface NamedRows {
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
  // Written rows are released.
  for (let rows = held.shift(); rows; rows = held.shift()) yield rows;
}
