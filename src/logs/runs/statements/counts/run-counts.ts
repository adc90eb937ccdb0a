// Counts of the rows that the nodes of a run hand on: told by its statements and by the catalog, else counted by a statement
// of their own.

import type { RunDeps } from '#logs/run.ts';
import { orExhausted } from '#logs/runs/duckdb/exhausted.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { LocalStages } from '#logs/runs/local/local-stages.ts';
import type { RunStatements } from '#logs/runs/statements/stages/run-statements.ts';
import type { TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import { overlap } from '#logs/runs/tables/time-slices.ts';
import { selectedRows } from '#query/analysis/condensed-rows.ts';
import { pushCounts, type StageCounts } from '#query/analysis/push-counts.ts';
import { chainOf, subPlans } from '#query/analysis/sub-plans.ts';
import { timeBounds } from '#query/analysis/time-bounds.ts';
import { isSink, tableScanOf } from '#query/plan-nodes/facts.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import { type CompileContext, isInTable } from '#query/plan-nodes/shared/compile-context.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import { countStatement } from '#query/statements/statements.ts';
import { countScan } from './catalog-counts.ts';

interface RunCountsDeps extends Pick<RunDeps, 'watch' | 'facts' | 'isApart'> {
  readonly session: RunSession;
  readonly tablesOfRun: TablesOfRun;
  readonly statements: RunStatements;
  readonly locals: LocalStages;
  context(): CompileContext;
}

export class RunCounts {
  /** Of groups that are tables of the run, or told the rows behind them. */
  readonly stages = new Map<PlanNode, StageCounts>();
  readonly #deps: RunCountsDeps;

  constructor(deps: RunCountsDeps) {
    this.#deps = deps;
  }

  readonly isKnown = (scan: Scan): boolean => this.#deps.tablesOfRun.isCounted(scan);

  /** See `Run`. */
  async tell(plan: Plan, rows?: bigint): Promise<void> {
    const { watch, locals } = this.#deps;
    const known = { stages: this.stages, local: locals.counts };
    for (const one of [plan, ...subPlans(plan)]) {
      // Sinks inside of brackets are no commands, and their rows are counted all the same.
      const nodes = chainOf(one).filter((node) => isSink(node) || one.commands.includes(node));
      const about = one === plan ? { ...known, rows } : known;
      const counts = await pushCounts({ ...one, commands: nodes }, about, (node) => this.#count(node));
      for (const [index, node] of nodes.entries()) {
        watch.reached(node, counts[index] ?? 0n);
        watch.moved(node, 'End');
      }
    }
  }

  async #count(node: PlanNode): Promise<bigint> {
    const { locals, statements, context } = this.#deps;
    const scan = tableScanOf(node);
    if (scan) return await this.#countScan(scan);
    await locals.stageDrivers(node);
    const selected = await this.#countSelected(node);
    if (selected !== undefined) return selected;
    const [row] = await statements.read(() => countStatement(node, context()), node);
    return BigInt(String(row?.[0]));
  }

  /** By the store of the rows, which then need not travel. */
  async #countSelected(node: PlanNode): Promise<bigint | undefined> {
    const { tablesOfRun, statements, facts, context } = this.#deps;
    const rows = tablesOfRun.countSelected && !isInTable(node, context()) ? selectedRows(node) : undefined;
    if (!rows) return undefined;
    const bounds = timeBounds(node, facts.zone).get(rows.scan) ?? rows.scan.range;
    const { covered } = statements;
    const range = covered?.[0] === rows.scan ? overlap(bounds, covered[1]) : bounds;
    const counting = tablesOfRun.countSelected?.(rows, { planNode: node, range, facts });
    return counting && (await orExhausted(counting, this.#deps));
  }

  async #countScan(scan: Scan): Promise<bigint> {
    const { statements, tablesOfRun, session } = this.#deps;
    const read = statements.covered?.[0] === scan ? { ...scan, range: statements.covered[1] } : scan;
    return await orExhausted(countScan(read, tablesOfRun, session), this.#deps);
  }
}
