// Charts of a run that are made locally, of few groups.

import type { RunStatements } from '#logs/runs/statements/stages/run-statements.ts';
import type { StageCounts } from '#query/analysis/push-counts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { type ChartColumn, type ChartPlanNode, foundColumnsOf } from '#query/plan-nodes/shared/chart-cells.ts';
import type { CompileContext } from '#query/plan-nodes/shared/compile-context.ts';
import { type LocalChart, localChartOf } from '#query/statements/local-chart.ts';
import { localGroups } from '#query/statements/statements.ts';
import type { LargeCharts } from './large-charts.ts';

interface RunChartsDeps {
  readonly largeCharts: LargeCharts;
  readonly statements: RunStatements;
  context(): CompileContext;
}

interface ChartRows {
  readonly texts: readonly string[];
  readonly counts: StageCounts;
}

export class RunCharts {
  readonly #deps: RunChartsDeps;
  readonly #charts = new Map<readonly ChartColumn[], LocalChart>();

  constructor(deps: RunChartsDeps) {
    this.#deps = deps;
  }

  /** Undefined where statements have to make the chart. */
  async columns(node: ChartPlanNode): Promise<readonly ChartColumn[] | undefined> {
    const { statements, largeCharts, context } = this.#deps;
    const { stages, run } = context();
    const statement = stages?.size || largeCharts.has(node) ? undefined : localGroups(node, context());
    if (!statement) return undefined;
    const chart = localChartOf(node, await statements.read(() => statement, node), run.zone);
    if (!chart) {
      largeCharts.add(node);
      return undefined;
    }
    this.#charts.set(chart.columns, chart);
    return chart.columns;
  }

  /** Of a planned chart whose columns were found here. */
  rows(node: PlanNode): ChartRows | undefined {
    const found = foundColumnsOf(node);
    const chart = found && this.#charts.get(found);
    return (
      chart && {
        texts: chart.texts((node as ChartPlanNode).columns),
        counts: { rows: BigInt(chart.rows), input: chart.input },
      }
    );
  }
}
