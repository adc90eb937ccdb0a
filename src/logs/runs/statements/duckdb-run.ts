// A run on DuckDB. One statement carries most plans; groups whose rows or input must be counted are statements of their own,
// staged as tables on the way: that costs little, and counting them again would cost as much as the query.

import type { NamelessFile } from '#files/nameless.ts';
import type { KeptRows, Page, RowText, Run, RunDeps } from '#logs/run.ts';
import type { RunWork } from '#logs/runs/duckdb/execution-slots.ts';
import { orExhausted } from '#logs/runs/duckdb/exhausted.ts';
import type { Others, RunSession } from '#logs/runs/duckdb/session.ts';
import { localChainTo } from '#logs/runs/local/local-chain.ts';
import { LocalStages } from '#logs/runs/local/local-stages.ts';
import type { LocalThreads } from '#logs/runs/local/local-threads.ts';
import { columnsOf, type TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import { followed } from '#logs/runs/tables/time-slices.ts';
import { chainOf } from '#query/analysis/sub-plans.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { Value } from '#query/model/values.ts';
import type { BuildEffect, WorkEffect } from '#query/plan-nodes/effect.ts';
import { inputOf, workEffectOf } from '#query/plan-nodes/facts.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import type { ChartColumn, ChartPlanNode } from '#query/plan-nodes/shared/chart-cells.ts';
import { type CompileContext, isInTable } from '#query/plan-nodes/shared/compile-context.ts';
import { RowTexts } from '#query/rows/row-texts.ts';
import { localCallBudgetOf } from '#query/sql/local-call-budget.ts';
import { stopCheckOf } from '#query/sql/stop-check.ts';
import { foundColumns } from '#query/statements/chart-run.ts';
import {
  type CountingPlanNode,
  countedRowsStatement,
  isCounting,
  rowsStatement,
  stageCountsOf,
  stageCountsStatement,
  stageStatement,
  steppedRowsStatement,
} from '#query/statements/statements.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { LargeCharts } from './charts/large-charts.ts';
import { RunCharts } from './charts/run-charts.ts';
import type { CatalogSources } from './counts/catalog-counts.ts';
import { knownRows } from './counts/known-rows.ts';
import { RunCounts } from './counts/run-counts.ts';
import { type CondensedInputsOfRun, condensedInputs } from './groups/condensed-rows.ts';
import { type Counting, isCountedBelow, isWorthStaging, RowsBehind, stepOf } from './groups/staged-groups.ts';
import { RunProgress } from './run-progress.ts';
import { type FlowDeps, FlowingSinks } from './sinks/flowing-sinks.ts';
import { type OpenSink, type SinkDeps, Sinks, sinkOf } from './sinks/sinks.ts';
import { LookupsOfRun, workOf } from './stages/run-lookups.ts';
import { RunStatements } from './stages/run-statements.ts';
import { cutsBelow } from './stages/statement-depth.ts';
import { knownStage, tellKnown } from './stages/statement-stages.ts';

type DuckdbModule = typeof import('@duckdb/node-api');

export interface DuckdbRunDeps extends RunDeps, SinkDeps, FlowDeps {
  readonly duckdb: DuckdbModule;
  readonly work: RunWork;
  readonly session: RunSession;
  readonly tablesOfRun: TablesOfRun;
  /** Of a file of a stored lookup. */
  lookupPath(file: string): string;
  readonly threads: LocalThreads;
  /** Of all runs. */
  readonly largeCharts: LargeCharts;
  /** For rows that the local evaluator has made. */
  file(): Promise<NamelessFile>;
  /** Beside that of the run. */
  newSession(): RunSession;
  /** Releases snapshots, session and slots. */
  release(): Promise<void>;
}

/** Of the row that a setq reads: it is parsed at once, and becomes part of every statement after it. */
const MAX_CHARACTERS = 2 ** 20;

export class DuckdbRun implements Run {
  readonly #deps: DuckdbRunDeps;
  readonly #lookups: LookupsOfRun;
  readonly #stages = new Map<PlanNode, string>();
  readonly #keptGroups = new Map<readonly ChartColumn[], string>();
  readonly #statements: RunStatements;
  readonly #locals: LocalStages;
  readonly #flowing: FlowingSinks;
  readonly #condensed: CondensedInputsOfRun;
  readonly #counts: RunCounts;
  readonly #charts: RunCharts;
  #lastStage = 0;
  #progress: RunProgress | undefined;

  constructor(deps: DuckdbRunDeps) {
    this.#deps = deps;
    this.#lookups = new LookupsOfRun(deps);
    this.#statements = new RunStatements({ ...deps, lookupsOfRun: this.#lookups });
    const { duckdb, tablesOfRun, newSession } = deps;
    this.#condensed = condensedInputs(deps);
    localCallBudgetOf(deps.facts).isShort = !deps.isInThreads;
    stopCheckOf(deps.facts).signal = deps.signal;
    this.#flowing = new FlowingSinks(deps);
    this.#locals = new LocalStages({
      ...deps,
      flowing: this.#flowing,
      context: this.#context,
      statements: this.#statements,
      stages: this.#stages,
      arrivals: { duckdb, context: this.#context, session: newSession },
      arriving: (table) => tablesOfRun.arriving(table),
      nextStage: () => this.#nextStage(),
      staged: (node) => this.#progress?.staged(node),
      shorten: (node) => this.#shorten(node),
      spans: (node, found, statement) => this.#statements.slices(node, found, (root) => statement(root, this.#context)),
    });
    const parts = { ...deps, statements: this.#statements, locals: this.#locals, context: () => this.#context };
    this.#charts = new RunCharts(parts);
    this.#counts = new RunCounts(parts);
  }

  get kept(): readonly KeptRows[] {
    return this.#flowing.kept;
  }

  get isSecret(): boolean {
    return this.#deps.tablesOfRun.secret.length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#locals[Symbol.asyncDispose]();
    await this.#flowing[Symbol.asyncDispose]();
    await this.#deps.release();
  }

  async *rows(plan: Plan, page?: Page): AsyncGenerator<readonly RowText[]> {
    for await (const texts of this.#rowsOf(plan, page)) {
      this.#markVisible();
      yield texts;
    }
    this.#markVisible();
    // Also those of setq commands, which stay invisible until the run has succeeded.
    await this.#lookups.commit();
  }

  async *#rowsOf(plan: Plan, page?: Page): AsyncGenerator<readonly RowText[]> {
    this.#locals.begin(plan.result, this.#localChainTo(plan.result));
    const progress = new RunProgress(plan, this.#deps.watch);
    this.#progress = progress;
    const sinks = new Sinks();
    try {
      await this.#condense(plan.result);
      const counting = { page, isCounted: this.#counts.isKnown };
      const step = this.#stepOf(plan, counting);
      const own = new Set(chainOf(plan));
      for (const node of workOf(plan)) {
        // Those behind a window get their rows as they arrive.
        const effect = this.#localChainTo(node) ? undefined : workEffectOf(node);
        if (effect) await this.#carryOut(node, effect, sinks);
        else if (own.has(node) && node !== step && isWorthStaging(node, plan, counting)) await this.#stage(node);
      }
      for await (const texts of this.#resultTexts(plan, page, step)) {
        progress.handedOn(texts.length);
        yield texts;
      }
      if (!sinks.isEmpty) this.#markVisible();
      await sinks.commit();
      progress.exhausted();
    } finally {
      await sinks.discard();
    }
  }

  async #carryOut(node: PlanNode, effect: WorkEffect<EffectServices>, sinks: Sinks): Promise<void> {
    switch (effect.kind) {
      case 'sink':
      case 'ingest':
        this.#deps.watch.reached(node, await this.#feed(inputOf(node), sinkOf(effect, this.#deps), sinks));
        return;
      case 'build':
        await this.#build(inputOf(node), effect);
        return;
      case 'forget':
        this.#lookups.drop(effect.lookup);
    }
  }

  readonly #condense = (root: PlanNode): Promise<void> =>
    orExhausted(this.#condensed.prepare(root, this.#context), this.#deps);

  /** A run that has given or stored rows does not begin again. */
  #markVisible(): void {
    localCallBudgetOf(this.#deps.facts).isShort = false;
    this.#deps.work.markVisible();
  }

  async firstRow(plan: Plan): Promise<ReadonlyMap<string, Value> | undefined> {
    const [first] = (await Array.fromAsync(this.#rowsOf(plan, { offset: 0n, limit: 1n }))).flat();
    if (first !== undefined && first.length > MAX_CHARACTERS) {
      const { begin, end } = plan.result;
      throw new QueryError(90009, { begin, end }, { what: { term: 'length' }, n: first.length, max: MAX_CHARACTERS });
    }
    return first === undefined ? undefined : new RowTexts(plan.result).fields(first);
  }

  async chartColumns(node: ChartPlanNode, { isResult = false } = {}): Promise<readonly ChartColumn[]> {
    this.#locals.begin(node);
    await this.#condense(node);
    await this.#locals.stage(node);
    await this.#shorten(node);
    await eventLoop.nextSlot();
    const columns = isResult ? await this.#charts.columns(node) : undefined;
    if (columns) return columns;
    return await foundColumns(node, {
      context: this.#context,
      keptGroups: this.#keptGroups,
      table: () => this.#nextStage(),
      read: (write) => this.#statements.read(write, node),
    });
  }

  async counted(plan: Plan, rows?: bigint): Promise<void> {
    await this.#counts.tell(plan, rows);
  }

  refreshProgress(): void {
    const { session, tablesOfRun } = this.#deps;
    this.#progress?.refreshProgress(session.done, (scan) => tablesOfRun.certainRows(scan));
  }

  #localChainTo(node: PlanNode) {
    return localChainTo(node, this.#deps.isInThreads);
  }

  get #context(): CompileContext {
    return {
      run: this.#deps.facts,
      ...columnsOf(this.#deps.tablesOfRun),
      lookupColumns: (lookup) => this.#lookups.columns(lookup),
      stages: this.#stages,
      keptGroups: this.#keptGroups,
      condensed: this.#condensed.inputs,
    };
  }

  #nextStage(): string {
    return `stage_${++this.#lastStage}`;
  }

  async #stage(node: PlanNode): Promise<string> {
    await this.#locals.stage(node);
    const staged = this.#stages.get(node);
    if (staged !== undefined) return staged;
    await this.#shorten(node);
    const table = this.#nextStage();
    await this.#statements.read(() => stageStatement(node, this.#context, table), node);
    this.#stages.set(node, table);
    if (isCounting(node)) {
      const statement = { text: stageCountsStatement(node, table), values: [], types: [] };
      const [counts = []] = await orExhausted(this.#deps.session.rows(statement), this.#deps);
      this.#counts.stages.set(node, stageCountsOf(counts));
    }
    this.#progress?.staged(node, this.#counts.stages.get(node));
    return table;
  }

  /** A plan of several statements has its groups as tables: its last statement may not reach down to the last of them. */
  #stepOf(plan: Plan, counting: Counting): CountingPlanNode | undefined {
    if (cutsBelow(plan.result, () => false).length > 0) return undefined;
    const isApart = (node: PlanNode) => isInTable(node, this.#context) || this.#localChainTo(node) !== undefined;
    return stepOf(plan, counting, isApart);
  }

  /** Makes tables of nodes below this one, so that its statement is not too deep. */
  async #shorten(root: PlanNode): Promise<void> {
    for (const node of cutsBelow(root, (below) => isInTable(below, this.#context))) await this.#stage(node);
  }

  /** Gives the number of rows. They are staged for the commands that follow, so that each is made once. */
  async #feed(input: PlanNode, { records = input, open, isImmediate }: OpenSink, sinks: Sinks): Promise<bigint> {
    await this.#stage(input);
    // What is stored already must not be stored again.
    if (isImmediate) this.#markVisible();
    const sink = await open();
    sinks.add(sink);
    const reader = new RowTexts(records);
    let rows = 0n;
    for await (const texts of this.#statements.texts(() => rowsStatement(records, this.#context), records)) {
      await sink.add(texts.map((text) => reader.fields(text)));
      rows += BigInt(texts.length);
    }
    return rows;
  }

  async #build(input: PlanNode, effect: BuildEffect): Promise<void> {
    await this.#stage(input);
    const texts = this.#statements.texts(() => rowsStatement(effect.records, this.#context), effect.records);
    await this.#lookups.build(effect, texts, this.isSecret);
  }

  async *#resultTexts(plan: Plan, page: Page | undefined, step: CountingPlanNode | undefined) {
    const chain = this.#localChainTo(plan.result);
    if (chain && !this.#stages.has(plan.result)) {
      yield* this.#locals.texts(chain, page);
      return;
    }
    await this.#locals.stage(plan.result);
    await this.#shorten(plan.result);
    const found = followed(plan.result, (node) => this.#stages.has(node), page);
    if (found) yield* this.#statements.slices(plan.result, found, (root) => rowsStatement(root, this.#context));
    else yield* this.#wholeTexts(plan, page, step);
  }

  async #knownTexts(result: PlanNode, page: Page | undefined): Promise<readonly RowText[] | undefined> {
    const { facts, tablesOfRun, signal, recorder } = this.#deps;
    if (this.#stages.has(result)) return undefined;
    const rest: CatalogSources['rest'] = (leftOut) =>
      this.#statements.texts(() => rowsStatement(result, this.#context), result, { leftOut });
    const known = await knownRows(result, {
      zone: facts.zone,
      page,
      charts: this.#charts,
      partsIn: (scan, groups) => orExhausted(tablesOfRun.partsIn(scan, groups), this.#deps),
      rest: tablesOfRun.leavesOut ? rest : undefined,
    });
    signal.throwIfAborted();
    if (known && recorder) tellKnown(recorder, knownStage(result, tablesOfRun.statementsOn), known.texts);
    if (known?.counts) this.#counts.stages.set(result, known.counts);
    return known?.texts;
  }

  /** A group counts its input on the way. */
  async *#wholeTexts({ result }: Plan, page: Page | undefined, step: CountingPlanNode | undefined) {
    const known = await this.#knownTexts(result, page);
    if (known) {
      yield known;
    } else if (step) {
      const tell: Others['tell'] = ([row]) => void (row && this.#counts.stages.set(step, stageCountsOf(row)));
      const statement = () => steppedRowsStatement(result, this.#context, { counted: step, page });
      yield* this.#statements.texts(statement, result, { others: { columns: 2, tell }, page, whole: step });
    } else if (
      page ||
      !isCounting(result) ||
      this.#stages.has(result) ||
      isCountedBelow(result.input, this.#counts.isKnown)
    ) {
      yield* this.#statements.texts(() => rowsStatement(result, this.#context, page), result, { page });
    } else {
      const behind = new RowsBehind(result);
      yield* this.#statements.texts(() => countedRowsStatement(result, this.#context), result, { others: behind });
      this.#counts.stages.set(result, behind.counts);
    }
  }
}
