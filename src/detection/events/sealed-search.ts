// Keyword search in sealed texts: the database cannot search them, so the newest rows are decrypted and searched here.

import { searchKeyword, searchText } from '#kernel/text/search-text.ts';
import { SliceTimer } from '#runtime/event-loop.ts';

/** Maximum of decrypted rows in the requested range; older rows are not searched. */
const MAX_OPENED_ROWS = 10_000;
const ROWS_PER_READ = 500;

interface SealedRows<R> {
  /** Sealed rows with an id below `before`, newest first. */
  page(before: number | undefined, limit: number): Promise<readonly R[]>;
  /** The decrypted fields to search. */
  fieldsOf(row: R): readonly (string | null)[];
}

/** The ids of the rows that contain the keywords. */
export async function idsContaining<R extends { readonly id: number }>(
  keywords: string,
  { page, fieldsOf }: SealedRows<R>,
): Promise<number[]> {
  const wanted = searchKeyword(keywords);
  const ids: number[] = [];
  const timer = new SliceTimer();
  let before: number | undefined;
  for (let opened = 0; opened < MAX_OPENED_ROWS; ) {
    const rows = await page(before, Math.min(ROWS_PER_READ, MAX_OPENED_ROWS - opened));
    for (const row of rows) {
      if (searchText(fieldsOf(row)).includes(wanted)) ids.push(row.id);
      await timer.yieldIfDue();
    }
    opened += rows.length;
    before = rows.at(-1)?.id;
    if (before === undefined) break;
  }
  return ids;
}
