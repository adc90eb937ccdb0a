// Rows of results in tests: their columns, and texts to compare them by.

import { taggedJson } from '#query/dialects/duckdb.ts';
import type { PlanNode } from '#query/plan.ts';
import type { Value } from '#query/values.ts';

type Row = ReadonlyMap<string, Value>;

export const resultText = (rows: readonly Row[]): string[] => rows.map((row) => taggedJson(new Map(row)));

/** Known columns, then keys of the overflow. */
export function columnsIn({ rows: { columns } }: PlanNode, rows: readonly Row[]): string[] {
  const known = columns.map(({ name }) => name);
  const more = new Set(rows.flatMap((row) => [...row.keys()]).filter((name) => !known.includes(name)));
  return [...known, ...[...more].sort()];
}
