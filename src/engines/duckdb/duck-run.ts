// A run on DuckDB. One statement carries most plans; groups whose rows or input somebody must know the number of are
// statements of their own, made into tables on the way: that costs little, and counting them again would cost as much
// as the query.

import type { DuckDBValue } from '@duckdb/node-api';
import type { Staging } from '#engines/engine.ts';
import type { Page, PlanRun, RowText, RunParts } from '#engines/plan-run.ts';
import { RunProgress } from '#engines/run-progress.ts';
import {
  type CountingNode,
  chartColumnsOf,
  chartStatement,
  countedRowsStatement,
  countStatement,
  inputOfNone,
  isCounting,
  type PlanStatement,
  type PlanSurroundings,
  RowTexts,
  rowsStatement,
  type Source,
  stageCountsOf,
  stageCountsStatement,
  stageStatement,
  steppedRowsStatement,
} from '#query/dialects/duckdb.ts';
import { failureIn } from '#query/evaluate/failures.ts';
import { QueryMistake } from '#query/mistake.ts';
import type { Scan } from '#query/needs.ts';
import type { Import, Pivot, Plan, PlanNode, Timechart, TimeRange } from '#query/plan.ts';
import { pushCounts, type StageCounts } from '#query/push-counts.ts';
import { subPlans } from '#query/sub-plans.ts';
import type { ChartColumn } from '#query/surroundings.ts';
import { timeBounds } from '#query/time-bounds.ts';
import type { Value } from '#query/values.ts';
import { discreet } from './discreet-duck.ts';
import { exhausted, isExhausted } from './exhausted.ts';
import { Imports, recordsOf } from './imported-rows.ts';
import type { RunTables, Sources } from './run-tables.ts';
import type { DuckSession, Others } from './session.ts';
import { type Followed, followed, limitedTo, overlap, spansOf, upToEnd } from './slices.ts';
import { isCountedBelow, isWorthStaging, stepOf } from './staged-groups.ts';

type DuckModule = typeof import('@duckdb/node-api');

type Rows = readonly (readonly DuckDBValue[])[];

/** A scan, and the times it is read of. */
type Covered = readonly [Scan, TimeRange];

/** Of the row that a setq reads: it is taken apart in one piece, and becomes part of every statement after it. */
const MOST_CHARACTERS = 2 ** 20;

export interface DuckRunParts extends RunParts {
  readonly duck: DuckModule;
  readonly session: DuckSession;
  readonly tablesOfRun: RunTables;
  stage(table: string): Promise<Staging>;
  /** Gives back what it works with. */
  left(): Promise<void>;
}

export class DuckRun implements PlanRun {
  readonly #parts: DuckRunParts;
  readonly #stages = new Map<PlanNode, string>();
  readonly #stageCounts = new Map<PlanNode, StageCounts>();
  #progress: RunProgress | undefined;
  /** What was read of a scan, where a limit had its rows before all of it was. */
  #covered: Covered | undefined;

  constructor(parts: DuckRunParts) {
    this.#parts = parts;
  }

  get isSecret(): boolean {
    return this.#parts.tablesOfRun.secret.length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.left();
  }

  async *rows(plan: Plan, page?: Page): AsyncGenerator<readonly RowText[]> {
    const progress = this.#begun(plan);
    const imports = new Imports();
    try {
      const step = stepOf(plan, page);
      for (const node of plan.commands) {
        if (node.kind === 'import') await this.#import(node, imports);
        else if (node.kind !== 'preamble' && node !== step && isWorthStaging(node, plan, page)) await this.#stage(node);
      }
      for await (const texts of this.#resultTexts(plan, page, step)) {
        progress.handedOn(texts.length);
        yield texts;
      }
      await imports.commit();
      progress.exhausted();
    } finally {
      await imports.discard();
    }
  }

  async firstRow(plan: Plan): Promise<ReadonlyMap<string, Value> | undefined> {
    const [first] = (await Array.fromAsync(this.rows(plan, { offset: 0n, limit: 1n }))).flat();
    if (first !== undefined && first.length > MOST_CHARACTERS) {
      const { begin, end } = plan.result;
      throw new QueryMistake(90009, { begin, end }, { n: first.length, max: MOST_CHARACTERS });
    }
    return first === undefined ? undefined : new RowTexts(plan.result).fields(first);
  }

  async chartColumns(node: Timechart | Pivot): Promise<readonly ChartColumn[]> {
    const { facts } = this.#parts;
    return chartColumnsOf(node, await this.#read(chartStatement(node, this.#around), node), facts.zone);
  }

  async counted(plan: Plan, rows?: bigint): Promise<void> {
    const { watch } = this.#parts;
    for (const [one, known] of [[plan, rows] as const, ...subPlans(plan).map((sub) => [sub, undefined] as const)]) {
      const counts = await pushCounts(one, { rows: known, stages: this.#stageCounts }, (node) => this.#count(node));
      for (const [index, node] of one.commands.entries()) {
        if (node.kind === 'preamble') continue;
        watch.reached(node, counts[index] ?? 0n);
        watch.moved(node, 'End');
      }
    }
  }

  glance(): void {
    const { session, tablesOfRun } = this.#parts;
    this.#progress?.glance(session.done, (scan) => tablesOfRun.certainRows(scan));
  }

  get #around(): PlanSurroundings {
    const { facts, tablesOfRun, systemRows } = this.#parts;
    return {
      run: facts,
      storedColumns: (table) => tablesOfRun.storedColumns(table),
      // There are no lookups yet, and a plan that names one is not made.
      lookupColumns: () => new Map(),
      systemRows,
      stages: this.#stages,
    };
  }

  #begun(plan: Plan): RunProgress {
    this.#progress = new RunProgress(plan, this.#parts.watch);
    return this.#progress;
  }

  async #stage(node: PlanNode): Promise<string> {
    const table = `stage_${this.#stages.size + 1}`;
    await this.#read(stageStatement(node, this.#around, table), node);
    this.#stages.set(node, table);
    if (isCounting(node)) {
      const [counts = []] = await this.#parts.session.rows({
        text: stageCountsStatement(node, table),
        values: [],
        types: [],
      });
      this.#stageCounts.set(node, stageCountsOf(counts));
    }
    this.#progress?.staged(node, this.#stageCounts.get(node));
    return table;
  }

  /** The rows are kept for what follows, so that each is made once. */
  async #import(node: Import, imports: Imports): Promise<void> {
    await this.#stage(node.input);
    const staging = await this.#parts.stage(node.table);
    imports.add(staging);
    const reader = new RowTexts(node.input);
    for await (const texts of this.#texts(rowsStatement(node.input, this.#around), node.input)) {
      await staging.add(
        recordsOf(
          texts.map((text) => reader.fields(text)),
          this.#parts.facts.now,
        ),
      );
    }
  }

  async #count(node: PlanNode): Promise<bigint> {
    if (node.kind === 'table') return await this.#countScan(node);
    const [row] = await this.#read(countStatement(node, this.#around), node);
    return BigInt(String(row?.[0]));
  }

  /** Most of it is in the catalog. */
  async #countScan(scan: Scan): Promise<bigint> {
    const { tablesOfRun, session } = this.#parts;
    const read = this.#covered?.[0] === scan ? { ...scan, range: this.#covered[1] } : scan;
    const total = tablesOfRun.certainRows(read) + (await tablesOfRun.uncertainRows(read, session));
    const rest = total > scan.offset ? total - scan.offset : 0n;
    return scan.limit !== undefined && scan.limit < rest ? scan.limit : rest;
  }

  async #read(statement: PlanStatement, root: PlanNode): Promise<DuckDBValue[][]> {
    using sources = await this.#borrow(statement, root);
    try {
      return await this.#parts.session.rows(statement.filled(this.#parts.duck, (source) => selectOf(source, sources)));
    } catch (error) {
      throw await this.#told(error, sources);
    }
  }

  async *#resultTexts(plan: Plan, page: Page | undefined, step: CountingNode | undefined) {
    const found = page ? undefined : followed(plan);
    if (found) yield* this.#spanTexts(plan.result, found);
    else yield* this.#wholeTexts(plan, page, step);
  }

  async *#spanTexts(result: PlanNode, { scan, limit }: Followed): AsyncGenerator<readonly string[]> {
    let left = limit?.count;
    for (const span of spansOf(this.#parts.tablesOfRun.segmentsIn(scan), scan)) {
      const root = limit && left !== undefined ? limitedTo(result, limit, left) : result;
      for await (const texts of this.#texts(rowsStatement(root, this.#around), root, { span: [scan, span] })) {
        if (left !== undefined) left -= BigInt(texts.length);
        yield texts;
      }
      if (left !== 0n) continue;
      this.#covered = [scan, upToEnd(scan, span)];
      return;
    }
  }

  /** A group counts its input on the way. */
  async *#wholeTexts({ result }: Plan, page: Page | undefined, step: CountingNode | undefined) {
    if (step) {
      const tell = ([row]: Rows) => void (row && this.#stageCounts.set(step, stageCountsOf(row)));
      const statement = steppedRowsStatement(result, this.#around, { counted: step, page });
      yield* this.#texts(statement, result, { others: { columns: 2, tell } });
    } else if (page || !isCounting(result) || this.#stages.has(result) || isCountedBelow(result.input)) {
      yield* this.#texts(rowsStatement(result, this.#around, page), result);
    } else {
      let [rows, input] = [0n, inputOfNone(result)];
      const tell = (counts: Rows) => {
        rows += BigInt(counts.length);
        for (const [count] of counts) input = typeof count === 'bigint' ? (input ?? 0n) + count : input;
      };
      yield* this.#texts(countedRowsStatement(result, this.#around), result, { others: { columns: 1, tell } });
      this.#stageCounts.set(result, { rows, input });
    }
  }

  async *#texts(
    statement: PlanStatement,
    root: PlanNode,
    { span, others }: { span?: Covered; others?: Others } = {},
  ): AsyncGenerator<readonly string[]> {
    using sources = await this.#borrow(statement, root, span);
    try {
      const filled = statement.filled(this.#parts.duck, (source) => selectOf(source, sources));
      yield* this.#parts.session.texts(filled, others);
    } catch (error) {
      throw await this.#told(error, sources);
    }
  }

  /** `span` narrows what is read of one scan. */
  async #borrow(statement: PlanStatement, root: PlanNode, span = this.#covered): Promise<Sources> {
    const tables = statement.sources.flatMap((source) => (source.kind === 'table' ? [source] : []));
    const { tablesOfRun, facts, session } = this.#parts;
    const bounds = timeBounds(root, facts.zone);
    if (span) bounds.set(span[0], overlap(bounds.get(span[0]) ?? {}, span[1]));
    return await tablesOfRun.borrow(tables, bounds, session);
  }

  /** What a failed statement is answered with. */
  async #told(error: unknown, sources: Sources): Promise<unknown> {
    const { signal, tablesOfRun, isApart } = this.#parts;
    if (signal.aborted) return error;
    const failure = failureIn(error instanceof Error ? error.message : '');
    if (failure) return failure;
    const cause = await sources.blamed(error);
    if (this.isSecret) return discreet(cause, tablesOfRun.secret.join(', '));
    return isExhausted(cause) ? exhausted(cause, { isApart }) : cause;
  }
}

function selectOf(source: Source, sources: Sources): string {
  if (source.kind === 'lookup') throw new Error(`there is no lookup ${source.lookup}`);
  return sources.selectOf(source);
}
