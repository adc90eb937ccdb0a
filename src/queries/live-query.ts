// One query from its acceptance to its end, and beyond as long as it is kept.
//
//   waiting ──begin──► running ──finish──► finished
//      └───────────────finish─────────────────┘
//
// Trouble is what keeps it from success: asked for by someone (`cancel`), or met on the way. The first one counts, it
// stops all work by `signal`, and the query is finished only when that work has stopped.

import type { Account, Caller } from '#access/caller.ts';
import type { PlanRun, RunWatch } from '#engines/plan-run.ts';
import type { QueryWarning } from '#query/model/query-error.ts';
import type { Plan, Rows, TimeRange } from '#query/nodes/plan.ts';
import type { ChartColumn } from '#query/planning/query-context.ts';
import type { CheckedQuery } from '#query/query.ts';
import { type CommandProgress, QueryProgress } from './command-progress.ts';
import { type Constants, type DeclaredParams, knownConstants } from './constants.ts';
import { storedNames } from './plan-nodes.ts';
import type { InterimResults, QueryChecker } from './query-checker.ts';
import type { QueryEnd } from './query-ends.ts';
import { ResultFile } from './result-file.ts';
import type { ResultReservation } from './result-quota.ts';
import type { QuerySource } from './sources.ts';

/**
 * The commands that a pipeline begins with, where they are the work of another account: they are checked and run with its
 * rights, all others with the caller's. The text of such a query is both, as `joinedText` joins them.
 */
export interface LeadingText {
  readonly text: string;
  readonly account: Account;
  /** The commands that follow; undefined where there are none. */
  readonly rest: string | undefined;
}

export type Tags = { readonly [name: string]: string };

export interface QueryRequest {
  readonly caller: Caller;
  readonly source: QuerySource;
  readonly remoteIp: string;
  readonly text: string;
  readonly lead?: LeadingText | undefined;
  /** Whether it goes on when its session has ended. */
  readonly background: boolean;
  /** Whether its rows are kept for whoever fetches them; otherwise they go to the one who waits for them. */
  readonly keepsRows: boolean;
  readonly params?: DeclaredParams | undefined;
  /** Constants that have values already, beside `params`: what a run of the service is handed. */
  readonly constants?: Constants | undefined;
  /** The present that it sees, where that is not the moment of its acceptance. */
  readonly now?: Temporal.Instant | undefined;
  /** What is read of tables where the text says no range. */
  readonly range?: TimeRange | undefined;
  readonly tags?: Tags | undefined;
}

/** What is known of a query as long as it runs. */
interface Work {
  readonly checker: QueryChecker;
  checked: CheckedQuery;
  interim: InterimResults;
  /** First rows of the setq commands that are no part of a subquery. */
  ownSetqRows: readonly Constants[];
}

/** What outlives a plan. */
interface Outline {
  readonly constants: Constants;
  readonly warnings: readonly QueryWarning[];
  /** Of the result. */
  readonly rows: Rows;
  /** Columns of the result that hold what was stored, where its overflow does. */
  readonly asStored: ReadonlySet<string> | undefined;
}

const outlineOf = ({ checker, checked: { plan, warnings }, ownSetqRows }: Work): Outline => ({
  constants: knownConstants(checker.constants, plan, ownSetqRows),
  warnings,
  rows: plan.result.rows,
  asStored: storedNames(plan),
});

interface Times {
  readonly accepted: Temporal.Instant;
  begun?: Temporal.Instant;
  finished?: Temporal.Instant;
  fetched?: Temporal.Instant;
}

export class LiveQuery {
  readonly request: QueryRequest;
  readonly progress: QueryProgress;
  readonly times: Times;
  /** Resolves when its work has stopped. */
  readonly ended: Promise<void>;
  tags: Tags;
  /** Gone after the end: thousands of queries are kept then. */
  #work: Work | undefined;
  #outline: Outline;
  #stamp = 0;
  #cancellation: QueryEnd | undefined;
  #run: PlanRun | undefined;
  #rows: ResultFile | undefined;
  #areRowsDropped = false;
  readonly #stopping = new AbortController();
  readonly #end: () => void;

  constructor(
    request: QueryRequest,
    init: { ids: readonly number[]; checker: QueryChecker; checked: CheckedQuery; now: Temporal.Instant },
  ) {
    this.request = request;
    this.tags = request.tags ?? {};
    this.times = { accepted: init.now };
    this.#work = { ...init, interim: { setqResults: [], chartColumns: [] }, ownSetqRows: [] };
    this.#outline = outlineOf(this.#work);
    this.progress = new QueryProgress(init.checked.plan, init.ids);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
  }

  get id(): number {
    return this.progress.pipelines[0]?.id ?? 0;
  }

  get checker(): QueryChecker {
    return this.#unfinishedWork.checker;
  }

  /** As planned last. */
  get checked(): CheckedQuery {
    return this.#unfinishedWork.checked;
  }

  get interim(): InterimResults {
    return this.#unfinishedWork.interim;
  }

  /** Of the newest plan. */
  get outline(): Outline {
    return this.#outline;
  }

  get isFinished(): boolean {
    return this.times.finished !== undefined;
  }

  get cancellation(): QueryEnd | undefined {
    return this.#cancellation;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** What its last command has handed on. */
  get rowCount(): bigint {
    return this.#lastCommand?.pushCount ?? 0n;
  }

  /** The rows that may be fetched; undefined before the first and when they are dropped. */
  get rows(): ResultFile | undefined {
    return this.#areRowsDropped ? undefined : this.#rows;
  }

  get areRowsDropped(): boolean {
    return this.#areRowsDropped;
  }

  /** Rises with every status that is answered. */
  nextStamp(): number {
    this.#stamp += 1;
    return this.#stamp;
  }

  /** Brings the counts up to date. */
  refreshProgress(): void {
    this.#run?.refreshProgress();
  }

  readonly watch: RunWatch = {
    moved: (node, status) => this.progress.of(node)?.advance(status),
    reached: (node, rows) => {
      // Of kept rows those count that can be read.
      if (!(this.request.keepsRows && node === this.#work?.checked.plan.result))
        this.progress.of(node)?.raiseCount(rows);
    },
  };

  begin(now: Temporal.Instant): void {
    this.times.begun = now;
  }

  /** Whether nobody has seen any of its rows, or been told that there are some: what a status has told never falls. */
  get isUnread(): boolean {
    return this.rowCount === 0n;
  }

  /** Forgets what has been worked out: it runs anew, over what is stored by then. */
  resetInterim(): void {
    this.#unfinishedWork.interim = { setqResults: [], chartColumns: [] };
    this.#unfinishedWork.ownSetqRows = [];
  }

  /** Lets others see how `run` gets on, until disposed of. */
  attachRun(run: PlanRun): Disposable {
    this.#run = run;
    return {
      [Symbol.dispose]: () => {
        this.#run = undefined;
      },
    };
  }

  addSetqRow(query: Plan, row: Constants): void {
    const work = this.#unfinishedWork;
    const isOwn = work.checked.plan.constants.some((step) => step.kind === 'setq' && step.query === query);
    if (isOwn) work.ownSetqRows = [...work.ownSetqRows, row];
    work.interim = { ...work.interim, setqResults: [...work.interim.setqResults, row] };
  }

  addChartColumns(columns: readonly ChartColumn[]): void {
    const work = this.#unfinishedWork;
    work.interim = { ...work.interim, chartColumns: [...work.interim.chartColumns, columns] };
  }

  replacePlan(checked: CheckedQuery): void {
    this.#unfinishedWork.checked = checked;
    this.#outline = outlineOf(this.#unfinishedWork);
    this.progress.attachPlan(checked.plan);
  }

  async openRows(folder: string, how: { isSecret: boolean; reservation: ResultReservation }): Promise<ResultFile> {
    const rows = await ResultFile.open(folder, how);
    await this.#rows?.release();
    this.#rows = rows;
    if (this.#areRowsDropped) await rows.release();
    this.signal.throwIfAborted();
    return rows;
  }

  /** The last command has handed on at least so many. */
  raiseRowCount(rows: bigint): void {
    this.#lastCommand?.raiseCount(rows);
  }

  async dropRows(): Promise<void> {
    if (this.#areRowsDropped) return;
    this.#areRowsDropped = true;
    await this.#rows?.release();
  }

  /** Does nothing once it is finished or has met other trouble. */
  cancel(end: QueryEnd): void {
    if (this.isFinished || this.#cancellation) return;
    this.#cancellation = end;
    this.#stopping.abort(end.thrown);
  }

  finish(now: Temporal.Instant): void {
    this.progress.finishAll();
    this.times.finished = now;
    this.#work = undefined;
    this.#end();
  }

  get #unfinishedWork(): Work {
    if (!this.#work) throw new Error(`query ${this.id} has ended`);
    return this.#work;
  }

  get #lastCommand(): CommandProgress | undefined {
    return this.progress.pipelines[0]?.commands.at(-1);
  }
}
