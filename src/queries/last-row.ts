// The last row of a query whose rows are kept, as constants for the next one.

import { RowTexts } from '#query/rows/row-texts.ts';
import type { Constants } from './constants.ts';
import type { LiveQuery } from './live-query.ts';

/** Names with an underscore first are the service's own and not handed on. Empty where there is no row. */
export async function lastRowOf(query: LiveQuery): Promise<Constants> {
  const { rows, outline } = query;
  if (!rows || rows.rows === 0) return new Map();
  const last = (await Array.fromAsync(rows.read(rows.rows - 1, 1))).flat().at(-1);
  if (last === undefined) return new Map();
  return new Map([...new RowTexts(outline).fields(last)].filter(([name]) => !name.startsWith('_')));
}
