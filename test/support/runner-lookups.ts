// Lookups of queries that run in tests on DuckDB alone: their rows are tables.

import type { DuckDBConnection } from '@duckdb/node-api';
import type { KnownColumn } from '#query/model/columns.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { MemoryBuild } from '#query/plan-nodes/memlookup.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import type { Row } from '#test/support/query-result.ts';
import { createLookup } from '#test/support/stored-rows.ts';
import { lookupKey, WorldLookups } from '#test/support/world-lookups.ts';

/** The lookup that a node makes. */
export const builtBy = ({ lookup, key, records }: MemoryBuild): KnownLookup => ({
  name: lookup,
  key,
  columns: records.rows.columns,
});

export class RunnerLookups extends WorldLookups {
  readonly #connection: DuckDBConnection;
  readonly #named: (what: string) => string;
  readonly #selects = new Map<string, string>();

  /** `named` gives a new name for a table. */
  constructor(connection: DuckDBConnection, stored: ReadonlyMap<string, KnownLookup>, named: (what: string) => string) {
    super(stored);
    this.#connection = connection;
    this.#named = named;
  }

  select(name: LookupName): string {
    return this.#selects.get(lookupKey(name)) ?? '';
  }

  protected override async keep(
    name: LookupName,
    rows: readonly Row[],
    columns: readonly KnownColumn[],
  ): Promise<void> {
    const table = this.#named('lookup');
    await createLookup(this.#connection, table, { rows, columns });
    this.#selects.set(lookupKey(name), `select * from ${table}`);
    await super.keep(name, rows, columns);
  }
}
