// Reads the values that name the columns of a chart. Rows are grouped once: the groups are kept as a table of the run, the
// keys are read out of it, and so are the cells by the statement that follows. A limited chart reads its rows twice, because
// its groups are made by the keys that are left.

import type { ChartColumn, ChartPlanNode } from '#query/plan-nodes/shared/chart-cells.ts';
import type { CompileContext } from '#query/plan-nodes/shared/compile-context.ts';
import { chartColumnsOf, keepsGroups } from './chart-columns.ts';
import { chartGroups, chartStatement, type PlanStatement } from './statements.ts';

type Rows = readonly (readonly unknown[])[];

interface ChartReading {
  readonly context: CompileContext;
  /** Gets the table of the groups, by the columns found in it. */
  readonly keptGroups: Map<readonly ChartColumn[], string>;
  /** A name for it. */
  table(): string;
  read(write: () => PlanStatement): Promise<Rows>;
}

export async function foundColumns(node: ChartPlanNode, reading: ChartReading): Promise<readonly ChartColumn[]> {
  const { context, keptGroups, read } = reading;
  const { zone } = context.run;
  if (!keepsGroups(node)) return chartColumnsOf(node, await read(() => chartStatement(node, context)), zone);
  const table = reading.table();
  const chart = chartGroups(node, context, table);
  await read(() => chart.groups);
  const keys = await read(() => chart.keys());
  const columns = chartColumnsOf(node, keys, zone);
  // Groups by values that share a key are two where the chart has one.
  if (!keys.some((row) => row.at(-1) === true)) keptGroups.set(columns, table);
  return columns;
}
