// Tables of tests on DuckDB: rows are stored as the engine stores records, in typed columns and `_rest`.

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Value } from '#query/model/values.ts';
import type { TableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import { openTables } from './example-tables.ts';
import { tableOf } from './query-examples.ts';
import type { Row } from './query-result.ts';
import { createStored, furtherColumns, type StoredTable, storedColumns, timeOf } from './stored-rows.ts';

let names = 0;

export class StoredWorld implements AsyncDisposable {
  readonly tables = new Map<string, StoredTable>();
  readonly #connection: DuckDBConnection;
  /** Fields of these names are no columns of their tables: they stay in the overflow of their rows. */
  readonly #undeclared: ReadonlySet<string>;
  readonly #selects = new Map<string, string>();
  readonly #made: string[] = [];

  constructor(connection: DuckDBConnection, undeclared: ReadonlySet<string>) {
    this.#connection = connection;
    this.#undeclared = undeclared;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const table of this.#made) await this.#connection.run(`drop table if exists ${table}`);
  }

  /** The name of a new table. */
  named(what: string): string {
    names += 1;
    const table = `${what}_${names}`;
    this.#made.push(table);
    return table;
  }

  /** In place of the rows that the table had. */
  async store(name: string, rows: readonly Row[]): Promise<void> {
    const columns = storedColumns(rows, this.#undeclared);
    const table = this.named('stored');
    const stored = { rows, columns, further: furtherColumns(rows, columns) };
    this.tables.set(name, stored);
    await createStored(this.#connection, table, stored);
    this.#selects.set(name, `select * from ${table}`);
  }

  /** Rows of a table in the order of arrival. */
  rows(name: string): readonly Row[] {
    return this.tables.get(name)?.rows ?? [];
  }

  /** As a scan gives them. */
  records(name: string): Row[] {
    return this.rows(name).map((row, index) => {
      const own = [
        ['_table', name],
        ['_time', timeOf(row, index)],
        ['_id', BigInt(index + 1)],
      ] as const;
      return new Map<string, Value>([...row, ...own]);
    });
  }

  /** Tables with the columns of the rows that they hold by now. */
  known(): Map<string, KnownTable> {
    return openTables(
      new Map([...this.tables].map(([name, { rows }]) => [name, tableOf(name, rows)])),
      this.#undeclared,
    );
  }

  selectOf({ table }: TableSelect): string {
    return this.#selects.get(table.name) ?? '';
  }
}
