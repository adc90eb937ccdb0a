// One query from its acceptance to its end, and beyond as long as it is kept.
//
//   waiting ──begin──► running ──finish──► finished
//      └───────────────finish─────────────────┘
//
// Trouble is what keeps it from success: asked for by someone (`cancel`), or met on the way. The first one counts, it
// stops all work by `signal`, and the query is finished only when that work has stopped.

import type { Caller } from '#access/caller.ts';
import type { PlanRun, RunWatch } from '#engines/plan-run.ts';
import type { Plan } from '#query/plan.ts';
import type { CheckedQuery } from '#query/query.ts';
import type { ChartColumn } from '#query/surroundings.ts';
import type { Value } from '#query/values.ts';
import type { Checking, Worked } from './checking.ts';
import { type CommandCell, CommandCells } from './command-cells.ts';
import type { GivenParams } from './constants.ts';
import { ResultFile } from './result-file.ts';
import type { QuerySource } from './sources.ts';
import type { Trouble } from './troubles.ts';

export type Tags = { readonly [name: string]: string };

export interface QueryRequest {
  readonly caller: Caller;
  readonly source: QuerySource;
  readonly remoteIp: string;
  readonly text: string;
  /** Whether it goes on when its session has ended. */
  readonly background: boolean;
  /** Whether its rows are kept for whoever fetches them; otherwise they go to the one who waits for them. */
  readonly keepsRows: boolean;
  readonly params?: GivenParams | undefined;
  readonly tags?: Tags | undefined;
}

interface Times {
  readonly accepted: Temporal.Instant;
  begun?: Temporal.Instant;
  finished?: Temporal.Instant;
  fetched?: Temporal.Instant;
}

export class LiveQuery {
  readonly request: QueryRequest;
  readonly cells: CommandCells;
  readonly checking: Checking;
  readonly times: Times;
  /** Resolves when its work has stopped. */
  readonly ended: Promise<void>;
  tags: Tags;
  #checked: CheckedQuery;
  #worked: Worked = { setqResults: [], chartColumns: [] };
  #ownSetqs: readonly ReadonlyMap<string, Value>[] = [];
  #stamp = 0;
  #trouble: Trouble | undefined;
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
    this.checking = parts.checking;
    this.#checked = parts.checked;
    this.cells = new CommandCells(parts.checked.plan, parts.ids);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
  }

  get id(): number {
    return this.cells.pipelines[0]?.id ?? 0;
  }

  /** As planned last. */
  get checked(): CheckedQuery {
    return this.#checked;
  }

  get worked(): Worked {
    return this.#worked;
  }

  /** First rows of the setq commands that are no part of a subquery. */
  get ownSetqs(): readonly ReadonlyMap<string, Value>[] {
    return this.#ownSetqs;
  }

  get isFinished(): boolean {
    return this.times.finished !== undefined;
  }

  get trouble(): Trouble | undefined {
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
    this.#run?.glance();
  }

  readonly watch: RunWatch = {
    moved: (node, status) => this.cells.of(node)?.move(status),
    reached: (node, rows) => {
      // Of kept rows those count that can be read.
      if (!(this.request.keepsRows && node === this.#checked.plan.result)) this.cells.of(node)?.reach(rows);
    },
  };

  begin(now: Temporal.Instant): void {
    this.times.begun = now;
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

  workedOutRow(query: Plan, row: ReadonlyMap<string, Value>): void {
    const isOwn = this.#checked.plan.constants.some((step) => step.kind === 'setq' && step.query === query);
    if (isOwn) this.#ownSetqs = [...this.#ownSetqs, row];
    this.#worked = { ...this.#worked, setqResults: [...this.#worked.setqResults, row] };
  }

  workedOutColumns(columns: readonly ChartColumn[]): void {
    this.#worked = { ...this.#worked, chartColumns: [...this.#worked.chartColumns, columns] };
  }

  planned(checked: CheckedQuery): void {
    this.#checked = checked;
    this.cells.follow(checked.plan);
  }

  async openRows(folder: string, isSecret: boolean): Promise<ResultFile> {
    const rows = await ResultFile.open(folder, { isSecret });
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
  cancel(trouble: Trouble): void {
    if (this.isFinished || this.#trouble) return;
    this.#trouble = trouble;
    this.#stopping.abort(trouble.thrown);
  }

  finish(now: Temporal.Instant): void {
    this.cells.end();
    this.times.finished = now;
    this.#end();
  }

  get #lastCell(): CommandCell | undefined {
    return this.cells.pipelines[0]?.cells.at(-1);
  }
}
