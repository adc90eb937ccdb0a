// Lookups of queries that run in tests: their rows as tables of DuckDB, and those that queries build and write.

import type { DuckDBConnection } from '@duckdb/node-api';
import type { KnownColumn } from '#query/model/columns.ts';
import type { KnownLookup } from '#query/model/lookups.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { MemoryBuild } from '#query/nodes/memlookup.ts';
import type { LookupFill } from '#query/nodes/outputlookup.ts';
import type { LookupName } from '#query/nodes/shared/lookup-rows.ts';
import { groupKey } from '#query/values/order.ts';
import { columnsOf, EXAMPLE_ZONE, rowOf, type World } from '#test/support/query-examples.ts';
import type { Row } from '#test/support/query-result.ts';
import { createLookup } from '#test/support/stored-rows.ts';

export class RunnerLookups {
  readonly stored: Map<string, KnownLookup>;
  readonly inMemory = new Map<string, KnownLookup>();
  readonly #connection: DuckDBConnection;
  readonly #named: (what: string) => string;
  readonly #selects = new Map<string, string>();
  readonly #rows = new Map<string, readonly Row[]>();

  /** `named` gives a new name for a table. */
  constructor(connection: DuckDBConnection, stored: ReadonlyMap<string, KnownLookup>, named: (what: string) => string) {
    this.#connection = connection;
    this.stored = new Map(stored);
    this.#named = named;
  }

  async load({ lookups = {} }: World): Promise<void> {
    for (const [name, { rows }] of Object.entries(lookups)) {
      await this.#keep({ lookup: name, stored: name }, rows.map(rowOf), columnsOf(rows));
    }
  }

  rows(name: LookupName): readonly Row[] {
    return this.#rows.get(keyOf(name)) ?? [];
  }

  select(name: LookupName): string {
    return this.#selects.get(keyOf(name)) ?? '';
  }

  columns({ lookup, stored }: LookupName): ReadonlyMap<string, ColumnType> {
    const known = stored === undefined ? this.inMemory : this.stored;
    return new Map(known.get(lookup)?.columns.map(({ name, type }) => [name, type]));
  }

  async build({ lookup, key, records }: MemoryBuild, rows: readonly Row[]): Promise<void> {
    const { columns } = records.rows;
    await this.#keep({ lookup }, rows, columns);
    this.inMemory.set(lookup, { name: lookup, key, columns });
  }

  async fill({ lookup, key, columns, append }: LookupFill, rows: readonly Row[]): Promise<void> {
    const name = { lookup, stored: lookup };
    const groupOf = (row: Row) => groupKey(row.get(key) ?? null, EXAMPLE_ZONE);
    const keys = new Set(rows.map(groupOf));
    const kept = append ? this.rows(name).filter((row) => !keys.has(groupOf(row))) : [];
    const all = [...kept, ...rows];
    const types = new Map(columnsOf(all).map((column) => [column.name, column.type]));
    const made = columns.map((column) => ({ name: column.name, type: types.get(column.name) ?? 'any' }));
    await this.#keep(name, all, made);
    this.stored.set(lookup, { name: lookup, key, columns: made, guid: lookup, isWritable: true });
  }

  /** Rows of `memlookup` alone. */
  listed(): ReadonlyMap<string, Value>[] {
    return [...this.inMemory.values()].map(
      ({ name, key }) =>
        new Map<string, Value>([
          ['name', name],
          ['key', key],
          ['rows', BigInt(this.rows({ lookup: name }).length)],
        ]),
    );
  }

  async #keep(name: LookupName, rows: readonly Row[], columns: readonly KnownColumn[]): Promise<void> {
    const table = this.#named('lookup');
    await createLookup(this.#connection, table, { rows, columns });
    this.#selects.set(keyOf(name), `select * from ${table}`);
    this.#rows.set(keyOf(name), rows);
  }
}

/** A lookup in memory may have the name of a stored one. */
const keyOf = ({ lookup, stored }: LookupName): string => (stored === undefined ? `memory ${lookup}` : lookup);
