// A query from its acceptance to its end, and beyond as long as it is kept.
//
//   waiting ──begin──► running ──finish──► finished
//      └───────────────finish─────────────────┘
//
// A cancellation ends it without success: on request, or because of an error. The first cancellation counts and aborts
// `signal`; the query is finished only when its work has stopped.

import type { Run, RunWatch } from '#logs/run.ts';
import type { QueryWarning } from '#query/model/query-error.ts';
import type { InterimResults } from '#query/planning/pending-parts.ts';
import type { CheckedQuery } from '#query/query.ts';
import { Notifier } from '#runtime/notifier.ts';
import type { QueryChecker } from './check/query-checker.ts';
import type { ResultReservation } from './limits/result-quota.ts';
import type { QueryRequest, Tags } from './query-request.ts';
import { ResultFile } from './rows/result-file.ts';
import { RunWarnings } from './runs/run-warnings.ts';
import { type CommandProgress, QueryProgress } from './status/command-progress.ts';
import type { QueryEnd } from './status/query-ends.ts';
import { outlineOf, type QueryOutline } from './status/query-outline.ts';

/** State of a query while it runs. */
interface Work {
  readonly checker: QueryChecker;
  checked: CheckedQuery;
  interim: InterimResults;
  /** Those of the last phase that has ended; a retry begins with them. */
  keptInterim: InterimResults;
}

interface Times {
  readonly accepted: Temporal.Instant;
  begun?: Temporal.Instant;
  finished?: Temporal.Instant;
  fetched?: Temporal.Instant;
}

export class LiveQuery {
  readonly progress: QueryProgress;
  readonly times: Times;
  /** Resolves when its work has stopped. */
  readonly ended: Promise<void>;
  /** Notified of further rows that can be fetched, and of the end. */
  readonly changes = new Notifier();
  tags: Tags;
  /** Whether one of its runs has read encrypted rows. */
  isSecret = false;
  /** Whether other nodes have begun to run parts of it. */
  hasAskedNodes = false;
  /** Released at the end, because thousands of finished queries are kept. */
  #work: Work | undefined;
  #request: QueryRequest;
  #isStatusDropped = false;
  #outline: QueryOutline;
  readonly #runWarnings = new RunWarnings();
  #stamp = 0;
  #cancellation: QueryEnd | undefined;
  #run: Run | undefined;
  #rows: ResultFile | undefined;
  #areRowsDropped = false;
  #stopping = new AbortController();
  readonly #end: () => void;

  constructor(
    request: QueryRequest,
    init: { ids: readonly number[]; checker: QueryChecker; checked: CheckedQuery; now: Temporal.Instant },
  ) {
    this.#request = request;
    this.tags = request.tags ?? {};
    this.times = { accepted: init.now };
    this.#work = { ...init, interim: {}, keptInterim: {} };
    this.#outline = outlineOf(this.#work, request.text);
    this.progress = new QueryProgress(init.checked.references, init.ids);
    request.stages?.attachPlan(init.checked);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
  }

  /** After the end without the parts that only a run needs. */
  get request(): QueryRequest {
    return this.#request;
  }

  get id(): number {
    return this.progress.pipelines[0]?.id ?? 0;
  }

  get checker(): QueryChecker {
    return this.#unfinishedWork.checker;
  }

  /** The newest plan. */
  get checked(): CheckedQuery {
    return this.#unfinishedWork.checked;
  }

  get interim(): InterimResults {
    return this.#unfinishedWork.interim;
  }

  /** Outline of the newest plan. */
  get outline(): QueryOutline {
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

  /** Rows that the last command has passed on. */
  get rowCount(): bigint {
    return this.#lastCommand?.pushCount ?? 0n;
  }

  /** Rows that can be fetched; undefined before the first and after they were dropped. */
  get rows(): ResultFile | undefined {
    return this.#areRowsDropped ? undefined : this.#rows;
  }

  get areRowsDropped(): boolean {
    return this.#areRowsDropped;
  }

  /** Increases with every status. */
  nextStamp(): number {
    this.#stamp += 1;
    return this.#stamp;
  }

  /** Updates row counts. */
  refreshProgress(): void {
    this.#run?.refreshProgress();
  }

  readonly watch: RunWatch = {
    moved: (node, status) => this.progress.of(node)?.advance(status),
    reached: (node, rows) => {
      // The count of kept rows follows the result file.
      if (!(this.request.keepsRows && node === this.#work?.checked.plan.result)) this.progress.reach(node, rows);
    },
  };

  begin(now: Temporal.Instant): void {
    this.times.begun = now;
  }

  /** Whether no row was sent or counted in a status: a reported count never decreases. */
  get isUnread(): boolean {
    return this.rowCount === 0n;
  }

  /** Drops interim results and warnings before a retry, which reads the records stored by then; phases that have ended stay so. */
  resetInterim(): void {
    this.#unfinishedWork.interim = this.#unfinishedWork.keptInterim;
    this.#runWarnings.reset();
    this.#renewOutline();
    this.request.stages?.reset();
  }

  /** Progress is read from `run` until disposed of. */
  attachRun(run: Run): Disposable {
    this.#run = run;
    this.isSecret ||= run.isSecret;
    return {
      [Symbol.dispose]: () => {
        this.#run = undefined;
      },
    };
  }

  addInterim(results: InterimResults): void {
    this.#unfinishedWork.interim = { ...this.interim, ...results };
  }

  /** A phase has ended: its results and those before it are kept. */
  keepInterim(): void {
    this.#unfinishedWork.keptInterim = this.#unfinishedWork.interim;
    this.#runWarnings.keep();
    this.request.stages?.keep();
  }

  addWarning(warning: QueryWarning): void {
    this.#runWarnings.add(warning);
    this.#renewOutline();
  }

  replacePlan(checked: CheckedQuery): void {
    this.#unfinishedWork.checked = checked;
    this.#renewOutline();
    this.progress.attachPlan(checked.references);
    this.request.stages?.attachPlan(checked);
  }

  #renewOutline(): void {
    const work = this.#unfinishedWork;
    this.#outline = outlineOf(work, this.request.text, [...work.checked.warnings, ...this.#runWarnings.all]);
  }

  async openRows(folder: string, how: { isSecret: boolean; reservation: ResultReservation }): Promise<ResultFile> {
    const rows = await ResultFile.open(folder, how);
    await this.#rows?.release();
    this.#rows = rows;
    if (this.#areRowsDropped) await rows.release();
    this.signal.throwIfAborted();
    return rows;
  }

  /** The last command has passed on at least so many rows. */
  raiseRowCount(rows: bigint): void {
    this.#lastCommand?.raiseCount(rows);
    this.changes.notify();
  }

  async dropRows(): Promise<void> {
    if (this.#areRowsDropped) return;
    this.#areRowsDropped = true;
    await this.#rows?.release();
  }

  /** Releases everything that only the status shows. False if that was done before. */
  dropStatus(): boolean {
    if (this.#isStatusDropped) return false;
    this.#isStatusDropped = true;
    this.#request = { ...this.#request, text: '' };
    this.#outline = { ...this.#outline, constants: new Map(), warnings: [], findings: () => ({}) };
    this.tags = {};
    return true;
  }

  /** Has no effect on a finished or cancelled query. */
  cancel(end: QueryEnd): void {
    if (this.isFinished || this.#cancellation) return;
    this.#cancellation = end;
    this.#stopping.abort(end.thrown);
  }

  finish(now: Temporal.Instant): void {
    this.progress.finishAll();
    this.times.finished = now;
    this.#work = undefined;
    this.#request = keptRequest(this.#request);
    // Listeners of its signal hold the request that has asked for it, and the run.
    this.#stopping = new AbortController();
    if (this.#cancellation) this.#stopping.abort(this.#cancellation.thrown);
    this.changes.notify();
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

/** The parts of a request that a status shows, or that decide who may see it. Constants and tags are kept beside it. */
const keptRequest = ({ caller, source, remoteIp, text, background, keepsRows, now }: QueryRequest): QueryRequest => ({
  caller,
  source,
  remoteIp,
  text,
  background,
  keepsRows,
  now,
});
