// Formats whose first line names all columns. Keys of an overflow are known only when every row has gone by, so such a
// result is held: its texts as the engine wrote them, the smallest form there is, and still with a turn of the event
// loop between chunks. Naming the wanted fields avoids it.

import type { RowText } from '#engines/plan-run.ts';
import { compareText } from '#query/evaluate/order-text.ts';
import { type Blocks, chunked, knownNames, RowReader, type RowsAbout } from './rows.ts';

export interface Named {
  readonly names: readonly string[];
  readonly rows: Blocks;
}

export async function named(blocks: Blocks, about: RowsAbout): Promise<Named> {
  const names = knownNames(about);
  if (about.fields || !about.hasOverflow) return { names, rows: blocks };
  const reader = new RowReader(about);
  const further = new Set<string>();
  const held: (readonly RowText[])[] = [];
  for await (const rows of chunked(blocks)) {
    for (const row of rows) for (const name of reader.overflowNamesOf(row)) further.add(name);
    held.push(rows);
  }
  return { names: [...names, ...[...further].sort(compareText)], rows: again(held) };
}

async function* again(held: (readonly RowText[])[]): AsyncGenerator<readonly RowText[]> {
  // Let go of what has been written.
  for (let rows = held.shift(); rows; rows = held.shift()) yield rows;
}
