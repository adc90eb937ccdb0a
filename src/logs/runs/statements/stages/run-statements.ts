// The statements of a run: each borrows the segments it reads, and the errors of DuckDB become those of the service.

import type { DuckDBValue } from '@duckdb/node-api';
import { LocalBudgetExceeded } from '#logs/log-store.ts';
import type { Page } from '#logs/run.ts';
import { exhausted, isExhausted, orExhausted } from '#logs/runs/duckdb/exhausted.ts';
import { redact } from '#logs/runs/duckdb/redacting-instance.ts';
import type { Others, RunSession } from '#logs/runs/duckdb/session.ts';
import { columnsOf, type Sources, type TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import {
  type Followed,
  firstSliceRows,
  mostSorted,
  nextSliceRows,
  overlap,
  restBehind,
  upToEnd,
  type WantedSlice,
} from '#logs/runs/tables/time-slices.ts';
import type { TimedRows } from '#logs/runs/tables/timed-rows.ts';
import { movedTexts, type StageMeter, type StageRecorder } from '#logs/stage-recorder.ts';
import { chosenRows } from '#query/analysis/chosen-rows.ts';
import { timeBounds } from '#query/analysis/time-bounds.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { TimeRange } from '#query/model/times.ts';
import { maxRowsOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Source } from '#query/plan-nodes/shared/compile-context.ts';
import { isTableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import { rowNeeds } from '#query/rules/row-needs.ts';
import type { Statement } from '#query/sql/statement.ts';
import type { PlanStatement, SelectOf } from '#query/statements/statements.ts';
import { failureIn, LOCAL_BUDGET_EXCEEDED } from '#query/values/failures.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import type { LookupsOfRun } from './run-lookups.ts';
import { statementStage } from './statement-stages.ts';

type DuckdbModule = typeof import('@duckdb/node-api');

/** A scan, and the times it is read of. */
type Covered = readonly [Scan, TimeRange];

/** As many rows as DuckDB hands over at once anyway. */
const MAX_SHORT_ROWS = 2048n;

/** What a statement reads less than the scans of its plan. */
interface Narrowing {
  /** Narrows the range of one scan. */
  readonly span?: Covered | undefined;
  /** Segments and hot tables whose rows are known. */
  readonly leftOut?: ReadonlySet<TimedRows> | undefined;
  /** A node below the root all of whose rows are made, because they are counted. */
  readonly whole?: PlanNode;
}

interface RunStatementsDeps {
  readonly duckdb: DuckdbModule;
  readonly session: RunSession;
  readonly tablesOfRun: TablesOfRun;
  readonly lookupsOfRun: LookupsOfRun;
  readonly facts: RunFacts;
  readonly signal: AbortSignal;
  readonly isApart: boolean;
  readonly recorder?: StageRecorder | undefined;
}

/** Writes a statement: of a long text that is some hundredths of a second of work, so it has a turn of its own. */
type Writing = () => PlanStatement;

async function written(write: Writing): Promise<PlanStatement> {
  await eventLoop.nextSlot();
  return write();
}

async function* counted(rows: AsyncGenerator<readonly string[]>, meter: StageMeter) {
  for await (const texts of rows) {
    movedTexts(meter, texts);
    yield texts;
  }
}

export class RunStatements {
  #covered: Covered | undefined;
  readonly #deps: RunStatementsDeps;

  constructor(deps: RunStatementsDeps) {
    this.#deps = deps;
  }

  /** The part of a scan that was read, where a limit ended it early. */
  get covered(): Covered | undefined {
    return this.#covered;
  }

  /** `isLoad`: it takes over rows that the local evaluator has made, which is no work of its own. */
  async read(write: Writing, root: PlanNode, { isLoad = false } = {}): Promise<DuckDBValue[][]> {
    const statement = await written(write);
    using sources = await this.#borrow(statement, root);
    const meter = isLoad ? undefined : await this.#metered(statement, sources);
    try {
      const rows = await this.#deps.session.rows(await this.#filled(statement, sources));
      if (meter) movedTexts(meter, rows.map(String));
      return rows;
    } catch (error) {
      throw await this.#translate(error, sources);
    } finally {
      meter?.ended();
    }
  }

  async *texts(
    write: Writing,
    root: PlanNode,
    { others, page, ...narrowing }: Narrowing & { others?: Others; page?: Page | undefined } = {},
  ): AsyncGenerator<readonly string[]> {
    const statement = await written(write);
    using sources = await this.#borrow(statement, root, narrowing);
    const meter = await this.#metered(statement, sources);
    try {
      const isFew = [page?.limit, maxRowsOf(root)].some((most) => most !== undefined && most <= MAX_SHORT_ROWS);
      const { isLong } = statement;
      const filled = { ...(await this.#filled(statement, sources)), isLong, isShort: isFew && !isLong };
      const rows = this.#deps.session.texts(filled, others);
      if (meter) yield* counted(rows, meter);
      else yield* rows;
    } catch (error) {
      throw await this.#translate(error, sources);
    } finally {
      meter?.ended();
    }
  }

  /** Rows in the order of time, slice by slice. A limit that has its rows ends the scan. */
  async *slices(
    result: PlanNode,
    found: Followed,
    write: (root: PlanNode) => PlanStatement,
  ): AsyncGenerator<readonly string[]> {
    const { scan, limit, isPage = false } = found;
    let left = limit && limit.skipped + limit.count;
    let skipped = Number(limit?.skipped ?? 0n);
    const { rowBytes } = columnsOf(this.#deps.tablesOfRun);
    const most = mostSorted(Math.max(0, ...scan.tables.map(({ name }) => rowBytes(name))));
    let rows = firstSliceRows(result, found, most);
    let root = limit && left !== undefined ? limit.first(left) : result;
    let rest: TimeRange | undefined = timeBounds(root, this.#deps.facts.zone).get(scan) ?? scan.range;
    while (rest) {
      const { facts } = this.#deps;
      const need = rowNeeds(root, facts.zone).get(scan);
      const chosen = chosenRows(root).get(scan);
      const wanted = { rest, rows, need, chosen, left: left === undefined ? undefined : Number(left), facts };
      const slice: TimeRange = await this.#nextSlice(scan, wanted);
      let read = 0;
      const current = root;
      for await (const texts of this.texts(() => write(current), current, { span: [scan, slice] })) {
        read += texts.length;
        if (skipped < texts.length) yield skipped === 0 ? texts : texts.slice(skipped);
        skipped = Math.max(0, skipped - texts.length);
      }
      if (limit && left !== undefined) {
        left -= BigInt(read);
        if (left === 0n) {
          if (!isPage) this.#covered = [scan, upToEnd(scan, slice)];
          return;
        }
        root = limit.first(left);
      }
      rest = restBehind(scan, rest, slice);
      rows = nextSliceRows(rows, read, { left: left === undefined ? undefined : Number(left), most });
    }
  }

  /** Undefined where nobody asks what the run does. Rows move where an engine hands them over to its node. */
  async #metered(statement: PlanStatement, sources: Sources): Promise<StageMeter | undefined> {
    const { recorder, tablesOfRun, duckdb } = this.#deps;
    if (!recorder) return undefined;
    const stage = statementStage(statement, { duckdb, statementsOn: tablesOfRun.statementsOn });
    const meter = recorder.begin(stage);
    if (statement.sources.some(isTableSelect)) {
      const { rows, bytes } = await orExhausted(sources.measure(), this.#deps);
      meter.read(rows, bytes);
    }
    return stage.engine === 'node' ? { ...meter, moved() {} } : meter;
  }

  #nextSlice(scan: Scan, wanted: WantedSlice): Promise<TimeRange> {
    const { tablesOfRun, session } = this.#deps;
    return orExhausted(tablesOfRun.nextSlice(scan, wanted, session), this.#deps);
  }

  #borrow(statement: PlanStatement, root: PlanNode, narrowing: Narrowing = {}): Promise<Sources> {
    return orExhausted(this.#borrowed(statement, root, narrowing), this.#deps);
  }

  async #borrowed(
    statement: PlanStatement,
    root: PlanNode,
    { span = this.#covered, leftOut, whole = root }: Narrowing,
  ) {
    const tables = statement.sources.filter(isTableSelect);
    const { tablesOfRun, lookupsOfRun, facts, session } = this.#deps;
    await lookupsOfRun.prepare(statement.sources);
    const bounds = timeBounds(whole, facts.zone);
    if (span) bounds.set(span[0], overlap(bounds.get(span[0]) ?? {}, span[1]));
    const needs = rowNeeds(whole, facts.zone);
    return await tablesOfRun.borrow(tables, session, { bounds, needs, chosen: chosenRows(whole), facts, leftOut });
  }

  async #filled(statement: PlanStatement, sources: Sources): Promise<Statement> {
    await eventLoop.nextSlot();
    const filled = statement.filled(this.#deps.duckdb, (source) => this.#selectOf(source, sources));
    return { ...filled, isLasting: statement.readsStoredAlone && sources.areFilesAlone };
  }

  #selectOf(source: Source, sources: Sources): ReturnType<SelectOf> {
    return isTableSelect(source) ? sources.selectOf(source) : this.#deps.lookupsOfRun.select(source);
  }

  /** The error that a failed statement is answered with. */
  async #translate(error: unknown, sources: Sources): Promise<unknown> {
    const { signal, tablesOfRun, isApart } = this.#deps;
    if (signal.aborted) return error;
    const text = error instanceof Error ? error.message : '';
    if (text.includes(LOCAL_BUDGET_EXCEEDED))
      return new LocalBudgetExceeded('the local evaluator takes too long', { cause: error });
    const failure = failureIn(text);
    if (failure) return failure;
    const cause = await sources.blamed(error);
    if (tablesOfRun.secret.length > 0) return redact(cause, tablesOfRun.secret.join(', '));
    return isExhausted(cause) ? exhausted(cause, { isApart }) : cause;
  }
}
