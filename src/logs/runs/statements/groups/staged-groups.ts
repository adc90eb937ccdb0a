// Which groups of a plan are made apart on the way, so that their rows are counted: the last as a step of the last
// statement, those before it as tables of the run.

import type { DuckDBValue } from '@duckdb/node-api';
import type { Page } from '#logs/run.ts';
import type { Others } from '#logs/runs/duckdb/session.ts';
import type { StageCounts } from '#query/analysis/push-counts.ts';
import { chainOf } from '#query/analysis/sub-plans.ts';
import { declarationOf, preservesCount, tableScanOf } from '#query/plan-nodes/facts.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import { type CountingPlanNode, inputOfNone, isCounting } from '#query/statements/statements.ts';

/** Whether the catalog tells how many rows a scan has. */
type IsCounted = (scan: Scan) => boolean;

export interface Counting {
  readonly page: Page | undefined;
  readonly isCounted: IsCounted;
}

/** Whether the rows of a group, or those that it was made of, would have to be counted by a statement of their own. */
export function isWorthStaging(node: PlanNode, { result }: Plan, { page, isCounted }: Counting): boolean {
  if (!isCounting(node) || (node === result && !page)) return false;
  return !isCountedBelow(node.input, isCounted) || !isCountedAbove(node, result);
}

/** Whether counting its rows is cheap. */
export function isCountedBelow(node: PlanNode, isCounted: IsCounted): boolean {
  const scan = tableScanOf(node);
  if (scan) return isCounted(scan);
  if (declarationOf(node).isCountedFast || isCounting(node)) return true;
  return node.input !== undefined && preservesCount(node) && isCountedBelow(node.input, isCounted);
}

/** Whether the number of rows of the result tells it. */
function isCountedAbove(node: PlanNode, result: PlanNode): boolean {
  if (node === result) return true;
  return result.input !== undefined && preservesCount(result) && isCountedAbove(node, result.input);
}

/**
 * The group that is a step of the last statement; none where a sink takes rows before, or where a node after it is apart: its
 * rows are made by the local evaluator, or are in a table already, and the last statement reads those.
 */
export function stepOf(
  plan: Plan,
  counting: Counting,
  isApart: (node: PlanNode) => boolean,
): CountingPlanNode | undefined {
  const nodes = chainOf(plan);
  if (nodes.some((node) => declarationOf(node).takes === 'all-always')) return undefined;
  const last = nodes.findLast((node) => isWorthStaging(node, plan, counting));
  if (!last || !isCounting(last) || last === plan.result) return undefined;
  return nodes.slice(nodes.indexOf(last) + 1).some(isApart) ? undefined : last;
}

/** Adds up the second column of `countedRowsStatement`. */
export class RowsBehind implements Others {
  readonly columns = 1;
  #rows = 0n;
  #input: bigint | null;

  constructor(node: CountingPlanNode) {
    this.#input = inputOfNone(node);
  }

  tell(rows: readonly (readonly DuckDBValue[])[]): void {
    this.#rows += BigInt(rows.length);
    for (const [count] of rows) if (typeof count === 'bigint') this.#input = (this.#input ?? 0n) + count;
  }

  get counts(): StageCounts {
    return { rows: this.#rows, input: this.#input };
  }
}
