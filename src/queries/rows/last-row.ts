// The last row of a query with kept rows, as constants for the following query of a workflow.

import type { LiveQuery } from '#queries/live-query.ts';
import type { Constants } from '#queries/runs/constants.ts';
import { RowTexts } from '#query/rows/row-texts.ts';

/** Names that start with an underscore are reserved and left out. Empty without a row. */
export async function lastRowOf(query: LiveQuery): Promise<Constants> {
  const { rows, outline } = query;
  if (!rows || rows.rows === 0) return new Map();
  const last = (await Array.fromAsync(rows.read(rows.rows - 1, 1))).flat().at(-1);
  if (last === undefined) return new Map();
  return new Map([...new RowTexts(outline).fields(last)].filter(([name]) => !name.startsWith('_')));
}
