// Groups of a plan whose input a store of tables gives as few rows, each of which stands for many records.

import type { RunSession } from '#logs/runs/duckdb/session.ts';
import { isTimeCounted } from '#logs/runs/statements/counts/catalog-counts.ts';
import type { PlannedCondensing } from '#logs/runs/tables/condensing.ts';
import type { TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import { type CondensedRows, condensedRowsOf } from '#query/analysis/condensed-rows.ts';
import { timeBounds } from '#query/analysis/time-bounds.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import { inputsOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { type CompileContext, isInTable } from '#query/plan-nodes/shared/compile-context.ts';
import type { Condensed } from '#query/plan-nodes/shared/condensed.ts';

/** A SELECT of the rows that stand for the input of a node; undefined where they cannot be had. */
export type Condense = (node: PlanNode, rows: CondensedRows, planned: PlannedCondensing) => Promise<string | undefined>;

interface CondensedInputsDeps {
  readonly facts: RunFacts;
  /** Absent where none ever are. */
  readonly condense: Condense | undefined;
}

interface RunCondensing {
  readonly facts: RunFacts;
  readonly session: RunSession;
  readonly tablesOfRun: Pick<TablesOfRun, 'condensed'>;
}

/** The condensed rows that the tables of a run give. */
export function condensedInputs({ facts, session, tablesOfRun }: RunCondensing): CondensedInputsOfRun {
  const condense: Condense = async (node, rows, planned) =>
    await tablesOfRun.condensed?.(rows, { ...planned, planNode: node, session });
  return new CondensedInputsOfRun({ facts, condense: tablesOfRun.condensed && condense });
}

export class CondensedInputsOfRun {
  /** Of the inputs of nodes. */
  readonly inputs = new Map<PlanNode, Condensed>();
  readonly #deps: CondensedInputsDeps;

  constructor(deps: CondensedInputsDeps) {
    this.#deps = deps;
  }

  /** Asks the store for the inputs of groups below a node and of itself. */
  async prepare(root: PlanNode, context: CompileContext): Promise<void> {
    if (!this.#deps.condense) return;
    const ask = async (node: PlanNode): Promise<void> => {
      if (isInTable(node, context) || this.inputs.has(node)) return;
      const condensed = node === root && isTimeCounted(node, this.#deps.facts.zone) ? undefined : await this.#of(node);
      if (condensed) this.inputs.set(node, condensed);
      else for (const input of inputsOf(node)) await ask(input);
    };
    await ask(root);
  }

  async #of(node: PlanNode): Promise<Condensed | undefined> {
    const { facts, condense } = this.#deps;
    for (const rows of condensedRowsOf(node, facts.zone)) {
      const range = timeBounds(node, facts.zone).get(rows.scan) ?? rows.scan.range;
      const select = await condense?.(node, rows, { range, facts });
      if (select !== undefined) return condensedBy(rows, select);
    }
    return undefined;
  }
}

function condensedBy({ scan, keys, times, states }: CondensedRows, select: string): Condensed {
  return {
    select,
    tables: scan.tables.map(({ name }) => name),
    keys: new Set([...keys.map(({ id }) => id), ...(times ? [times.time] : [])]),
    states: new Map(states.map(({ call, kind }, index) => [call, { index, kind }])),
  };
}
