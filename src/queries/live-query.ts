// One query from its acceptance to its end, and beyond as long as it is kept.
//
//   waiting ──begin──► running ──finish──► finished
//      └───────────────finish─────────────────┘
//
// Trouble is what keeps it from success: asked for by someone (`cancel`), or met on the way. The first one counts, it
// stops all work by `signal`, and the query is finished only when that work has stopped.

import type { Account, Caller } from '#access/caller.ts';
import type { PlanRun, RunWatch } from '#engines/plan-run.ts';
import { storedNames } from '#query/analysis/references.ts';
import type { Rows } from '#query/model/columns.ts';
import type { QueryWarning } from '#query/model/query-error.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { Plan } from '#query/nodes/plan.ts';
import type { ChartColumn } from '#query/nodes/shared/chart-cells.ts';
import type { CheckedQuery } from '#query/query.ts';
import type { Checking, Worked } from './checking.ts';
import { type CommandCell, CommandCells } from './command-cells.ts';
import { type Constants, type DeclaredParams, knownConstants } from './constants.ts';
import type { QueryEnd } from './query-ends.ts';
import { ResultFile } from './result-file.ts';
import type { Room } from './result-room.ts';
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
  readonly checking: Checking;
  checked: CheckedQuery;
  worked: Worked;
  /** First rows of the setq commands that are no part of a subquery. */
  ownSetqs: readonly Constants[];
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

const outlineOf = ({ checking, checked: { plan, warnings }, ownSetqs }: Work): Outline => ({
  constants: knownConstants(checking.constants, plan, ownSetqs),
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
  readonly cells: CommandCells;
  readonly times: Times;
  /** Resolves when its work has stopped. */
  readonly ended: Promise<void>;
  tags: Tags;
  /** Gone after the end: thousands of queries are kept then. */
  #work: Work | undefined;
  #outline: Outline;
  #stamp = 0;
  #trouble: QueryEnd | undefined;
  #run: PlanRun | undefined;
  #rows: ResultFile | undefined;
  #areRowsDropped = false;
  readonly #stopping = new AbortController();
  readonly #end: () => void;

  constructor(
    request: QueryRequest,
    parts: { ids: readonly number[]; checking: Checking; checked: CheckedQuery; now: Temporal.Instant },
  ) {
    this.request = request;
    this.tags = request.tags ?? {};
    this.times = { accepted: parts.now };
    this.#work = { ...parts, worked: { setqResults: [], chartColumns: [] }, ownSetqs: [] };
    this.#outline = outlineOf(this.#work);
    this.cells = new CommandCells(parts.checked.plan, parts.ids);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
  }

  get id(): number {
    return this.cells.pipelines[0]?.id ?? 0;
  }

  get checking(): Checking {
    return this.#atWork.checking;
  }

  /** As planned last. */
  get checked(): CheckedQuery {
    return this.#atWork.checked;
  }

  get worked(): Worked {
    return this.#atWork.worked;
  }

  /** Of the newest plan. */
  get outline(): Outline {
    return this.#outline;
  }

  get isFinished(): boolean {
    return this.times.finished !== undefined;
  }

  get trouble(): QueryEnd | undefined {
    return this.#trouble;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** What its last command has handed on. */
  get rowCount(): bigint {
    return this.#lastCell?.pushCount ?? 0n;
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
  glance(): void {
    this.#run?.refreshProgress();
  }

  readonly watch: RunWatch = {
    moved: (node, status) => this.cells.of(node)?.move(status),
    reached: (node, rows) => {
      // Of kept rows those count that can be read.
      if (!(this.request.keepsRows && node === this.#work?.checked.plan.result)) this.cells.of(node)?.reach(rows);
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
  beginAgain(): void {
    this.#atWork.worked = { setqResults: [], chartColumns: [] };
    this.#atWork.ownSetqs = [];
  }

  /** Lets others see how `run` gets on, until disposed of. */
  watching(run: PlanRun): Disposable {
    this.#run = run;
    return {
      [Symbol.dispose]: () => {
        this.#run = undefined;
      },
    };
  }

  workedOutRow(query: Plan, row: Constants): void {
    const work = this.#atWork;
    const isOwn = work.checked.plan.constants.some((step) => step.kind === 'setq' && step.query === query);
    if (isOwn) work.ownSetqs = [...work.ownSetqs, row];
    work.worked = { ...work.worked, setqResults: [...work.worked.setqResults, row] };
  }

  workedOutColumns(columns: readonly ChartColumn[]): void {
    const work = this.#atWork;
    work.worked = { ...work.worked, chartColumns: [...work.worked.chartColumns, columns] };
  }

  planned(checked: CheckedQuery): void {
    this.#atWork.checked = checked;
    this.#outline = outlineOf(this.#atWork);
    this.cells.follow(checked.plan);
  }

  async openRows(folder: string, how: { isSecret: boolean; room: Room }): Promise<ResultFile> {
    const rows = await ResultFile.open(folder, how);
    await this.#rows?.release();
    this.#rows = rows;
    if (this.#areRowsDropped) await rows.release();
    this.signal.throwIfAborted();
    return rows;
  }

  /** The last command has handed on at least so many. */
  reached(rows: bigint): void {
    this.#lastCell?.reach(rows);
  }

  async dropRows(): Promise<void> {
    if (this.#areRowsDropped) return;
    this.#areRowsDropped = true;
    await this.#rows?.release();
  }

  /** Does nothing once it is finished or has met other trouble. */
  cancel(trouble: QueryEnd): void {
    if (this.isFinished || this.#trouble) return;
    this.#trouble = trouble;
    this.#stopping.abort(trouble.thrown);
  }

  finish(now: Temporal.Instant): void {
    this.cells.end();
    this.times.finished = now;
    this.#work = undefined;
    this.#end();
  }

  get #atWork(): Work {
    if (!this.#work) throw new Error(`query ${this.id} has ended`);
    return this.#work;
  }

  get #lastCell(): CommandCell | undefined {
    return this.cells.pipelines[0]?.cells.at(-1);
  }
}
