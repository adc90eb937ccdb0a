// What a run would do where: the division of a plan into statements and work of the local evaluator, without running any of it. What follows on
// rows that are not read yet, those of setq, of earlier phases and of values that name columns, has no statement.

import type { OutlineDeps } from '#logs/run.ts';
import { driversIn } from '#logs/runs/local/driver-rows.ts';
import { localChainsIn, localChainTo, topOf } from '#logs/runs/local/local-chain.ts';
import type { PlannedCondensing } from '#logs/runs/tables/condensing.ts';
import { columnsOf, type PlannedTables } from '#logs/runs/tables/tables-of-run.ts';
import { chosenRows } from '#query/analysis/chosen-rows.ts';
import type { CondensedRows } from '#query/analysis/condensed-rows.ts';
import { chainOf, phasesIn } from '#query/analysis/sub-plans.ts';
import { timeBounds } from '#query/analysis/time-bounds.ts';
import { bodyOf, planNodesBelow, scanOf, subqueriesOf, workEffectOf } from '#query/plan-nodes/facts.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import { type CompileContext, isInTable, isTableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import type { Pending } from '#query/planning/pending-parts.ts';
import { rowNeeds } from '#query/rules/row-needs.ts';
import {
  chartStatement,
  localGroups,
  localRowsStatement,
  type PlanStatement,
  rowsStatement,
  stageStatement,
  steppedRowsStatement,
} from '#query/statements/statements.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { type Condense, CondensedInputsOfRun } from './groups/condensed-rows.ts';
import { isWorthStaging, stepOf } from './groups/staged-groups.ts';
import { workOf } from './stages/run-lookups.ts';
import { cutsBelow } from './stages/statement-depth.ts';
import { leftToDo, shownRows, statementStage } from './stages/statement-stages.ts';

interface RunOutlineDeps extends OutlineDeps {
  readonly duckdb: typeof import('@duckdb/node-api');
  readonly tablesOfRun: PlannedTables;
}

export class RunOutline {
  readonly #deps: RunOutlineDeps;
  readonly #stages = new Map<PlanNode, string>();
  readonly #condensed: CondensedInputsOfRun;
  /** Whether the part that is looked at is known as it will run. */
  #isKnown = true;

  constructor(deps: RunOutlineDeps) {
    this.#deps = deps;
    const { facts, tablesOfRun } = deps;
    const condense: Condense = async (...asked) => this.#condense(...asked);
    this.#condensed = new CondensedInputsOfRun({ facts, condense: tablesOfRun.plannedCondensed && condense });
  }

  async tell(): Promise<void> {
    const { plan, next } = this.#deps;
    for (const part of partsOf(plan)) {
      this.#isKnown = next === undefined || part === plannedOf(next);
      if (next?.kind === 'chart' && planNodesBelow(part.result, () => false).includes(next.planNode))
        await this.#chart(next.planNode);
      await this.#part(part);
    }
  }

  async #part(plan: Plan): Promise<void> {
    const counting = { page: undefined, isCounted: (scan: Scan) => this.#deps.tablesOfRun.isCounted(scan) };
    const isApart = (node: PlanNode) => this.#isStaged(node) || localChainTo(node) !== undefined;
    const step = cutsBelow(plan.result, () => false).length > 0 ? undefined : stepOf(plan, counting, isApart);
    const own = new Set(chainOf(plan));
    for (const node of workOf(plan)) {
      // Sinks behind a window are part of what the local evaluator does with its rows.
      const effect = localChainTo(node) ? undefined : workEffectOf(node);
      if (effect && node.input) await this.#stage(node.input);
      if (effect) this.#deps.recorder.plan({ engine: 'node', planNodes: [node] });
      else if (own.has(node) && node !== step && isWorthStaging(node, plan, counting)) await this.#stage(node);
    }
    const { result } = plan;
    await this.#localParts(result);
    // Where the local evaluator has the last word, it makes the rows of the result.
    if (localChainTo(result)) return;
    await this.#shorten(result);
    await this.#statement(result, (context) =>
      step ? steppedRowsStatement(result, context, { counted: step }) : rowsStatement(result, context),
    );
  }

  /** The values that name its columns are read first; all that follows depends on them. */
  async #chart(node: Extract<Pending, { kind: 'chart' }>['planNode']): Promise<void> {
    await this.#localParts(node);
    await this.#shorten(node);
    this.#isKnown = true;
    await this.#statement(node, (context) => localGroups(node, context) ?? chartStatement(node, context));
    this.#isKnown = false;
    this.#stages.set(node, 'chart');
  }

  async #stage(node: PlanNode): Promise<void> {
    await this.#localParts(node);
    if (this.#isStaged(node)) return;
    await this.#shorten(node);
    const table = this.#nextStage();
    await this.#statement(node, (context) => stageStatement(node, context, table));
    this.#stages.set(node, table);
  }

  async #shorten(root: PlanNode): Promise<void> {
    for (const node of cutsBelow(root, (below) => this.#isStaged(below))) await this.#stage(node);
  }

  async #localParts(root: PlanNode): Promise<void> {
    const { recorder } = this.#deps;
    for (const node of driversIn(root)) {
      if (this.#isStaged(node)) continue;
      recorder.plan({ engine: 'node', planNodes: [node] });
      this.#stages.set(node, this.#nextStage());
    }
    for (const chain of localChainsIn(root)) {
      const { input } = chain.source;
      if (this.#isStaged(topOf(chain))) continue;
      if (input) {
        await this.#localParts(input);
        await this.#shorten(input);
        await this.#statement(input, (context) => localRowsStatement(input, context));
      }
      recorder.plan({ engine: 'node', planNodes: chain.planNodes });
      this.#stages.set(topOf(chain), this.#nextStage());
    }
  }

  /** Of a long text it is some hundredths of a second of work, so each has a slot of its own. */
  async #statement(root: PlanNode, write: (context: CompileContext) => PlanStatement): Promise<void> {
    await eventLoop.nextSlot();
    this.#deps.signal.throwIfAborted();
    if (!this.#isKnown) return this.#unwritten(root);
    const { recorder, duckdb, tablesOfRun, facts } = this.#deps;
    const { statementsOn } = tablesOfRun;
    await this.#condensed.prepare(root, this.#context);
    const statement = write(this.#context);
    const borrowing = {
      bounds: timeBounds(root, facts.zone),
      needs: rowNeeds(root, facts.zone),
      chosen: chosenRows(root),
      facts,
    };
    for (const read of tablesOfRun.plannedReads(statement.sources.filter(isTableSelect), borrowing)) {
      recorder.plan({ engine: 'clickhouse', planNodes: [read.scan], statement: () => read.statement });
    }
    recorder.plan(statementStage(statement, { duckdb, statementsOn }));
  }

  /** The rows stand under the name of their table in what is shown of the statement that reads them. */
  #condense(node: PlanNode, rows: CondensedRows, planned: PlannedCondensing): string | undefined {
    const { recorder, tablesOfRun } = this.#deps;
    const reads = tablesOfRun.plannedCondensed?.(rows, planned);
    for (const { statement } of reads ?? []) {
      recorder.plan({ engine: 'clickhouse', planNodes: planNodesBelow(node, () => false), statement: () => statement });
    }
    return reads && shownRows(rows.scan.tables.map(({ name }) => name));
  }

  #unwritten(root: PlanNode): void {
    const { recorder, tablesOfRun } = this.#deps;
    const nodes = planNodesBelow(root, (node) => this.#isStaged(node));
    const scans = nodes.flatMap((node) => scanOf(node) ?? []);
    if (scans.length > 0 && tablesOfRun.statementsOn === 'embedded') {
      recorder.plan({ engine: 'embedded', planNodes: nodes });
      return;
    }
    for (const scan of scans) recorder.plan({ engine: 'clickhouse', planNodes: [scan] });
    recorder.plan({ engine: 'node', planNodes: leftToDo(nodes) });
  }

  #isStaged(node: PlanNode): boolean {
    return isInTable(node, this.#context);
  }

  get #context(): CompileContext {
    const { facts, tablesOfRun, lookups } = this.#deps;
    return {
      run: facts,
      ...columnsOf(tablesOfRun),
      lookupColumns: (name) => new Map(lookups?.of(name)?.columns.map((column) => [column.name, column.type])),
      stages: this.#stages,
      condensed: this.#condensed.inputs,
    };
  }

  #nextStage(): string {
    return `stage_${this.#stages.size + 1}`;
  }
}

/** In the order of work: constants and phases inside of brackets and procedures before the phase that encloses them. */
const partsOf = (plan: Plan): Plan[] => phasesIn(plan).flatMap((phase) => [...partsInside(phase), phase]);

const partsInside = (phase: Plan): Plan[] => [
  ...phase.constants.flatMap((step) => (step.kind === 'setq' ? partsOf(step.query) : [])),
  ...chainOf(phase)
    .flatMap((node) => [...subqueriesOf(node), ...[bodyOf(node) ?? []].flat()])
    .flatMap((inner) => partsOf(inner).slice(0, -1)),
];

function plannedOf(next: Pending): Plan | undefined {
  if (next.kind === 'chart') return undefined;
  return next.kind === 'setq' ? next.query : next.plan;
}
