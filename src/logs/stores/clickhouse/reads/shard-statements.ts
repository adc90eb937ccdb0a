// Statements that a run sends to all shards: within its limits, told to whoever asks what the run does, and refused where records of
// their table were removed meanwhile.

import type { NamelessFile } from '#files/nameless.ts';
import type { TimeRange } from '#logs/log-store.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { RunContext } from '#logs/runs/tables/tables-of-run.ts';
import type { Share, StageMeter } from '#logs/stage-recorder.ts';
import { answered } from '#logs/stores/clickhouse/server/failures.ts';
import type { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import { type Condition, EVERY } from '#logs/stores/clickhouse/storage/visibility.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { closeAll, type FetchOptions, fetchBudget, fetchRows, orClosed, rowsIn } from './fetched-rows.ts';
import type { TableStatement } from './table-statements.ts';

/** How statements on ClickHouse are bounded. */
export interface StatementLimits {
  readonly settings: Readonly<Record<string, string | number>>;
  readonly deadline: Temporal.Duration;
  /** Of all rows that a run fetches. */
  readonly maxBytes: number;
}

interface ShardStatementsDeps {
  readonly shards: Shards;
  readonly context: RunContext;
  readonly limits: StatementLimits;
  table(name: string): SeenTable;
  /** Throws where records of a table were removed since the run began. */
  requireWhole(name: string): Promise<void>;
}

/** What a run may see of a table. */
export interface SeenTable {
  readonly where: Condition;
  /** Undefined where what is between these times may change while a statement reads it; absent where others write it, too. */
  atRest?(range: TimeRange): Rest | undefined;
}

/** Nothing between two times of a table is written. */
export interface Rest {
  /** Whether it was so until now, since the run began. */
  isUnbroken(): boolean;
}

export interface FilesAsked {
  /** Beside those of all statements. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Whose work it does. */
  readonly planNodes: readonly PlanNode[];
  readonly share: Share;
  readonly session: RunSession;
}

interface Fetching extends Partial<Pick<FilesAsked, 'settings'>> {
  readonly params: Condition['params'];
  readonly meter?: StageMeter | undefined;
}

export class ShardStatements {
  readonly #deps: ShardStatementsDeps;
  readonly #take: FetchOptions['take'];

  constructor(deps: ShardStatementsDeps) {
    this.#deps = deps;
    this.#take = fetchBudget(deps.limits.maxBytes);
  }

  /** Few rows of a table. */
  async rows(name: string, statement: TableStatement, work: Pick<FilesAsked, 'planNodes' | 'share'>) {
    const { shards, limits, context, requireWhole } = this.#deps;
    const { settings, deadline } = limits;
    const ask = async ({ text, params }: Condition) => {
      const options = { params, settings, deadline, signal: context.signal, meter: this.#metered(work, text) };
      return await answered(shards.rows(text, options));
    };
    const rows = await this.#seen(name, statement, ask, async () => {});
    await requireWhole(name);
    return rows;
  }

  /** Rows of a table, in files. Those that are not used are closed: an open one that is forgotten ends the process. */
  async files(
    name: string,
    statement: TableStatement,
    { planNodes: nodes, share, session, settings }: FilesAsked,
  ): Promise<readonly NamelessFile[]> {
    const fetch = async ({ text, params }: Condition) => {
      const meter = this.#metered({ planNodes: nodes, share }, text);
      const files = await this.fetch(text, { params, settings, meter });
      return await orClosed(files, async () => meter?.moved(await rowsIn(files, session), 0));
    };
    const files = await this.#seen(name, statement, fetch, closeAll);
    return await orClosed(files, () => this.#deps.requireWhole(name));
  }

  /**
   * What a statement gives of the rows that the run may see. Where nothing is written there is no need to test each of them, and the
   * server may answer from what it knows; where that was broken meanwhile, the statement is repeated with the test.
   */
  async #seen<T>(
    name: string,
    { range, write }: TableStatement,
    run: (statement: Condition) => Promise<T>,
    drop: (given: T) => Promise<void>,
  ): Promise<T> {
    const { where, atRest } = this.#deps.table(name);
    const rest = atRest?.(range);
    if (rest) {
      const given = await run(write(EVERY));
      if (rest.isUnbroken()) return given;
      await drop(given);
    }
    return await run(write(where));
  }

  /** The rows of a statement, whatever happens to the table. */
  async fetch(text: string, { params, settings, meter }: Fetching): Promise<readonly NamelessFile[]> {
    const { shards, limits, context } = this.#deps;
    return await fetchRows(shards, text, {
      params,
      meter,
      signal: context.signal,
      folder: context.spillFolder,
      take: this.#take,
      settings: { ...limits.settings, ...settings },
      deadline: limits.deadline,
    });
  }

  /** Every statement that reads for a run has one, where somebody asks what the run does. */
  #metered(work: Pick<FilesAsked, 'planNodes' | 'share'>, text: string): StageMeter | undefined {
    return this.#deps.context.recorder?.begin({ engine: 'clickhouse', ...work, statement: () => text });
  }
}
