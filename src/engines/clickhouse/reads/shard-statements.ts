// Statements that a run sends to all shards: within its limits, told to whoever asks what the run does, and refused where records of
// their table were removed meanwhile.

import { answered } from '#engines/clickhouse/server/failures.ts';
import type { ParamValue } from '#engines/clickhouse/server/params.ts';
import type { Shards } from '#engines/clickhouse/storage/shards.ts';
import type { Condition } from '#engines/clickhouse/storage/visibility.ts';
import type { RunSession } from '#engines/duckdb/instance/session.ts';
import type { RunPlace } from '#engines/duckdb/runs/tables-of-run.ts';
import type { StageMeter } from '#engines/stage-recorder.ts';
import type { NamelessFile } from '#files/nameless.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import { FetchBudget, fetchRows, rowsIn } from './fetched-rows.ts';

/** How statements on ClickHouse are bounded. */
export interface StatementLimits {
  readonly settings: Readonly<Record<string, string | number>>;
  readonly deadline: Temporal.Duration;
  /** Of all rows that a run fetches. */
  readonly maxBytes: number;
}

interface ShardStatementsDeps {
  readonly shards: Shards;
  readonly place: RunPlace;
  readonly limits: StatementLimits;
  /** Throws where records of a table were removed since the run began. */
  requireWhole(name: string): void;
}

export interface FilesAsked {
  readonly params: Readonly<Record<string, ParamValue>>;
  /** Beside those of all statements. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Whose work it does. */
  readonly nodes: readonly PlanNode[];
  readonly session: RunSession;
}

export class ShardStatements {
  readonly #deps: ShardStatementsDeps;
  readonly #budget: FetchBudget;

  constructor(deps: ShardStatementsDeps) {
    this.#deps = deps;
    this.#budget = new FetchBudget(deps.limits.maxBytes);
  }

  /** Few rows of a table. */
  async rows(name: string, { text, params }: Condition, nodes: readonly PlanNode[]) {
    const { shards, limits, place, requireWhole } = this.#deps;
    const { settings, deadline } = limits;
    const options = { params, settings, deadline, signal: place.signal, meter: this.#metered(nodes, text) };
    const rows = await answered(shards.rows(text, options));
    requireWhole(name);
    return rows;
  }

  /** Rows of a table, in files. Those that are not used are closed: an open one that is forgotten ends the process. */
  async files(name: string, text: string, { nodes, session, ...asked }: FilesAsked): Promise<readonly NamelessFile[]> {
    const meter = this.#metered(nodes, text);
    const files = await this.fetch(text, { ...asked, meter });
    try {
      meter?.moved(await rowsIn(files, session), 0);
      this.#deps.requireWhole(name);
      return files;
    } catch (error) {
      for (const file of files) await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** As `files`, whatever happens to the table. */
  async fetch(
    text: string,
    {
      params,
      settings,
      meter,
    }: Pick<FilesAsked, 'params'> & Partial<Pick<FilesAsked, 'settings'>> & { readonly meter?: StageMeter | undefined },
  ): Promise<readonly NamelessFile[]> {
    const { shards, limits, place } = this.#deps;
    return await fetchRows(shards, text, {
      ...{ params, meter, signal: place.signal, folder: place.spillFolder, take: this.#budget.take },
      settings: { ...limits.settings, ...settings },
      deadline: limits.deadline,
    });
  }

  /** Every statement that reads for a run has one, where somebody asks what the run does. */
  #metered(nodes: readonly PlanNode[], text: string): StageMeter | undefined {
    return this.#deps.place.recorder?.begin({ engine: 'clickhouse', nodes, statement: () => text });
  }
}
