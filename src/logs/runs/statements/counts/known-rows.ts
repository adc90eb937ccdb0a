// Rows that are known without a statement over all records: those that the text of a query says, those of a chart whose
// groups are read already, and counts of the catalog.

import type { Page, RowText } from '#logs/run.ts';
import type { RunCharts } from '#logs/runs/statements/charts/run-charts.ts';
import type { StageCounts } from '#query/analysis/push-counts.ts';
import { declarationOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { rowTextOf } from '#query/rows/row-texts.ts';
import { type CatalogSources, catalogRows } from './catalog-counts.ts';

/** More rows of a text are left to a thread of DuckDB. */
const MAX_WRITTEN_ROWS = 1000;

interface KnownRows {
  readonly texts: readonly RowText[];
  readonly counts?: StageCounts;
}

interface KnownRowsOptions extends CatalogSources {
  readonly zone: string;
  readonly page: Page | undefined;
  readonly charts: RunCharts;
}

/** The rows of a node, or a page of them; undefined where a statement has to make them. */
export async function knownRows(node: PlanNode, options: KnownRowsOptions): Promise<KnownRows | undefined> {
  const { page, zone } = options;
  const written = declarationOf(node).writtenRows?.(node);
  if (written && written.length <= MAX_WRITTEN_ROWS) {
    return { texts: pageOf(written, page).map((row) => rowTextOf(row, node.rows)) };
  }
  const charted = options.charts.rows(node);
  if (charted) return { texts: pageOf(charted.texts, page), counts: charted.counts };
  const counted = await catalogRows(node, zone, options);
  return counted && { texts: counted.texts(page), counts: counted.counts };
}

function pageOf<T>(rows: readonly T[], page: Page | undefined): readonly T[] {
  const first = Number(page?.offset ?? 0n);
  return page ? rows.slice(first, first + Number(page.limit)) : rows;
}
