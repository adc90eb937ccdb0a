// Keywords in sealed texts: the database cannot look for them, so the newest rows are opened and looked through here.

import { searchable, sought } from '#kernel/folded.ts';
import { Stretch } from '#kernel/yielding.ts';

/** So many sealed rows of the range asked for are opened; keywords are not found in older ones. */
const MAX_OPENED_ROWS = 10_000;
const ROWS_PER_READ = 500;

export interface SealedRows<R> {
  /** Sealed rows with a smaller id than `before`, where there is one, the newest first. */
  page(before: number | undefined, limit: number): Promise<readonly R[]>;
  /** The fields that keywords are sought in, opened. */
  fieldsOf(row: R): readonly (string | null)[];
}

/** The ids of the rows that hold the keywords. */
export async function idsContaining<R extends { readonly id: number }>(
  keywords: string,
  { page, fieldsOf }: SealedRows<R>,
): Promise<number[]> {
  const wanted = sought(keywords);
  const ids: number[] = [];
  const stretch = new Stretch();
  let before: number | undefined;
  for (let opened = 0; opened < MAX_OPENED_ROWS; ) {
    const rows = await page(before, Math.min(ROWS_PER_READ, MAX_OPENED_ROWS - opened));
    for (const row of rows) {
      if (searchable(fieldsOf(row)).includes(wanted)) ids.push(row.id);
      await stretch.yieldIfDue();
    }
    opened += rows.length;
    before = rows.at(-1)?.id;
    if (before === undefined) break;
  }
  return ids;
}
