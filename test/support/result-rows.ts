// Rows of results in tests: their columns, and texts to compare them by.

import type { Value } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';

type Row = ReadonlyMap<string, Value>;

export const resultText = (rows: readonly Row[]): string[] => rows.map((row) => taggedJson(new Map(row)));

/** Known columns, then keys of the overflow. */
export function columnsIn({ rows: { columns } }: PlanNode, rows: readonly Row[]): string[] {
  const known = columns.map(({ name }) => name);
  const more = new Set(rows.flatMap((row) => [...row.keys()]).filter((name) => !known.includes(name)));
  return [...known, ...[...more].sort()];
}
