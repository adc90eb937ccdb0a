// The tables of a run that has a sample on the node: DuckDB reads all of it, and no server does anything for the run.

import { makeFolder } from '#files/durable.ts';
import { makeNamelessFile } from '#files/nameless.ts';
import type { RunSession } from '#logs/runs/duckdb/session.ts';
import type { Borrowing } from '#logs/runs/tables/borrowing.ts';
import type { PlannedRead, RunContext, Sources, TablesOfRun } from '#logs/runs/tables/tables-of-run.ts';
import type { WantedSlice } from '#logs/runs/tables/time-slices.ts';
import { millisecondsOf } from '#logs/runs/tables/timed-rows.ts';
import { rowsIn } from '#logs/stores/clickhouse/reads/fetched-rows.ts';
import { conditionOf, recordsSelect } from '#logs/stores/clickhouse/reads/stored-rows.ts';
import { NO_FACTS } from '#logs/stores/embedded/reads/known-texts.ts';
import { valueTypes } from '#logs/stores/shared/known-table.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { StoredReads, TableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import type { Scan } from '#query/plan-nodes/shared/scans.ts';
import { columnsOf, type Sample } from './sample.ts';

const NO_COLUMNS: StoredReads = { columns: new Set(), hasRest: false };

export class NodeTables implements TablesOfRun {
  readonly leavesOut = false;
  readonly statementsOn = 'node';
  readonly secret: readonly string[] = [];
  readonly #samples: ReadonlyMap<string, Sample>;
  readonly #context: RunContext;

  constructor(samples: ReadonlyMap<string, Sample>, context: RunContext) {
    this.#samples = samples;
    this.#context = context;
  }

  get instance() {
    return this.#context.apart?.instance;
  }

  storedColumns(name: string) {
    return valueTypes(this.#columns(name));
  }

  async borrow(sources: readonly TableSelect[], session: RunSession, { bounds }: Borrowing): Promise<Sources> {
    const files = new Set(sources.flatMap(({ table }) => this.#of(table.name).files));
    return {
      areFilesAlone: false,
      measure: async () => ({ rows: await rowsIn([...files], session), bytes: null }),
      selectOf: ({ table, scan, reads }) => {
        const select = this.#select(table.name, reads, bounds.get(scan) ?? scan.range);
        return [{ select, facts: NO_FACTS }];
      },
      blamed: async (error) => error,
      [Symbol.dispose]() {},
    };
  }

  plannedReads(): readonly PlannedRead[] {
    return [];
  }

  async nextSlice(_scan: Scan, { rest }: WantedSlice): Promise<TimeRange> {
    return rest;
  }

  isCounted(): boolean {
    return false;
  }

  async partsIn(): Promise<undefined> {}

  certainRows(): bigint {
    return 0n;
  }

  async countRows({ tables, range }: Scan, session: RunSession): Promise<bigint> {
    let total = 0n;
    for (const { name } of tables) {
      total += BigInt(String(await session.value(`select count(*) from (${this.#select(name, NO_COLUMNS, range)})`)));
    }
    return total;
  }

  arriving(name: string): never {
    throw new Error(`nothing arrives in ${name}`);
  }

  async file(spillFolder: string) {
    await makeFolder(spillFolder);
    return await makeNamelessFile(spillFolder);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #select(name: string, reads: StoredReads, range: TimeRange): string {
    const select = recordsSelect(this.#of(name).files, this.#columns(name), reads);
    return `select * from (${select}) where ${conditionOf(millisecondsOf(range))}`;
  }

  #columns(name: string) {
    const { spec, columns } = this.#of(name).table;
    return columnsOf(spec.layout, columns);
  }

  #of(name: string): Sample {
    const sample = this.#samples.get(name);
    if (!sample) throw new Error(`the run has no table ${name}`);
    return sample;
  }
}
