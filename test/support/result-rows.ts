// Rows of results in tests: their columns, and texts to compare them by.

import { taggedJson } from '#query/dialects/duckdb.ts';
import type { PlanNode } from '#query/plan.ts';
import type { StageCounts } from '#query/push-counts.ts';
import type { Value } from '#query/values.ts';

type Row = ReadonlyMap<string, Value>;

export interface QueryResult {
  readonly rows: readonly Row[];
  /** Known columns, then keys of the overflow. */
  readonly columns: readonly string[];
  readonly pushes: readonly bigint[];
  readonly stageCounts: ReadonlyMap<PlanNode, StageCounts>;
  /** By a statement of its own. */
  readonly counted: (node: PlanNode) => Promise<bigint>;
  readonly isOrdered: boolean;
  readonly normalized: string;
  readonly warnings: readonly number[];
}

export const resultText = (rows: readonly Row[]): string[] => rows.map((row) => taggedJson(new Map(row)));

/** Known columns, then keys of the overflow. */
export function columnsIn({ rows: { columns } }: PlanNode, rows: readonly Row[]): string[] {
  const known = columns.map(({ name }) => name);
  const more = new Set(rows.flatMap((row) => [...row.keys()]).filter((name) => !known.includes(name)));
  return [...known, ...[...more].sort()];
}
