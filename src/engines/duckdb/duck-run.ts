// A run on DuckDB. One statement carries most plans; groups whose rows or input somebody must know the number of are
// statements of their own, made into tables on the way: that costs little, and counting them again would cost as much
// as the query.

import type { DuckDBValue } from '@duckdb/node-api';
import { Exhausted, type Staging } from '#engines/engine.ts';
import type { Page, PlanRun, RowText, RunParts } from '#engines/plan-run.ts';
import { RunProgress } from '#engines/run-progress.ts';
import {
  chartColumnsOf,
  chartStatement,
  countStatement,
  isCounting,
  type PlanStatement,
  type PlanSurroundings,
  RowTexts,
  rowsStatement,
  type Source,
  stageCountsOf,
  stageCountsStatement,
  stageStatement,
} from '#query/dialects/duckdb.ts';
import { failureIn } from '#query/evaluate/failures.ts';
import type { Scan } from '#query/needs.ts';
import type { Import, Pivot, Plan, PlanNode, Timechart } from '#query/plan.ts';
import { pushCounts, type StageCounts } from '#query/push-counts.ts';
import { subPlans } from '#query/sub-plans.ts';
import type { ChartColumn } from '#query/surroundings.ts';
import { timeBounds } from '#query/time-bounds.ts';
import type { Value } from '#query/values.ts';
import { discreet } from './discreet-duck.ts';
import { recordsOf } from './imported-rows.ts';
import type { RunTables, Sources } from './run-tables.ts';
import type { DuckSession } from './session.ts';

type DuckModule = typeof import('@duckdb/node-api');

export interface DuckRunParts extends RunParts {
  readonly duck: DuckModule;
  readonly session: DuckSession;
  readonly tablesOfRun: RunTables;
  stage(table: string): Promise<Staging>;
}

export class DuckRun implements PlanRun {
  readonly #parts: DuckRunParts;
  readonly #stages = new Map<PlanNode, string>();
  readonly #stageCounts = new Map<PlanNode, StageCounts>();
  #progress: RunProgress | undefined;

  constructor(parts: DuckRunParts) {
    this.#parts = parts;
  }

  get isSecret(): boolean {
    return this.#parts.tablesOfRun.secret.length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.session[Symbol.dispose]();
    await this.#parts.tablesOfRun[Symbol.asyncDispose]();
  }

  async *rows(plan: Plan, page?: Page): AsyncGenerator<readonly RowText[]> {
    const progress = this.#begun(plan);
    const imports = new Imports();
    try {
      for (const node of plan.commands) {
        if (node.kind === 'import') await this.#import(node, imports);
        else if (node.kind !== 'preamble' && isWorthStaging(node, plan)) await this.#stage(node);
      }
      for await (const texts of this.#texts(rowsStatement(plan.result, this.#around, page), plan.result)) {
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
    this.#progress?.staged(node);
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
    const total = tablesOfRun.certainRows(scan) + (await tablesOfRun.uncertainRows(scan, session));
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

  async *#texts(statement: PlanStatement, root: PlanNode): AsyncGenerator<readonly string[]> {
    using sources = await this.#borrow(statement, root);
    try {
      yield* this.#parts.session.texts(statement.filled(this.#parts.duck, (source) => selectOf(source, sources)));
    } catch (error) {
      throw await this.#told(error, sources);
    }
  }

  async #borrow(statement: PlanStatement, root: PlanNode): Promise<Sources> {
    const tables = statement.sources.flatMap((source) => (source.kind === 'table' ? [source] : []));
    const { tablesOfRun, facts, session } = this.#parts;
    return await tablesOfRun.borrow(tables, timeBounds(root, facts.zone), session);
  }

  /** What a failed statement is answered with. */
  async #told(error: unknown, sources: Sources): Promise<unknown> {
    const { signal, tablesOfRun } = this.#parts;
    if (signal.aborted) return error;
    const failure = failureIn(error instanceof Error ? error.message : '');
    if (failure) return failure;
    const cause = await sources.blamed(error);
    if (this.isSecret) return discreet(cause, tablesOfRun.secret.join(', '));
    return isExhausted(cause) ? new Exhausted('memory or disk is exhausted', { cause }) : cause;
  }
}

const isExhausted = (error: unknown): boolean =>
  error instanceof Error && /^Out of Memory Error|No space left on device/.test(error.message);

function selectOf(source: Source, sources: Sources): string {
  if (source.kind === 'lookup') throw new Error(`there is no lookup ${source.lookup}`);
  return sources.selectOf(source);
}

/** Rows on their way into tables: part of them when the run has succeeded, gone otherwise. */
class Imports {
  readonly #stagings: Staging[] = [];

  add(staging: Staging): void {
    this.#stagings.push(staging);
  }

  async commit(): Promise<void> {
    for (const staging of this.#stagings) await staging.commit(async () => {});
  }

  async discard(): Promise<void> {
    for (const staging of this.#stagings) await staging.discard();
  }
}

/** Whether the rows of a group, or those that it was made of, would have to be counted by a statement of their own. */
function isWorthStaging(node: PlanNode, { result }: Plan): boolean {
  if (!isCounting(node)) return false;
  return !isCountedBelow(node.input) || !isCountedAbove(node, result);
}

/** Whether counting them is cheap. */
function isCountedBelow(node: PlanNode): boolean {
  if (node.kind === 'table' || node.kind === 'json' || node.kind === 'system' || isCounting(node)) return true;
  return node.preservesCount && 'input' in node && node.input !== undefined && isCountedBelow(node.input);
}

/** Whether the number of rows of the result tells it. */
function isCountedAbove(node: PlanNode, result: PlanNode): boolean {
  if (node === result) return true;
  return result.preservesCount && 'input' in result && result.input !== undefined && isCountedAbove(node, result.input);
}
