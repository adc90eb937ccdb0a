// How rows of tests are stored: typed columns, and what does not fit them in `_rest`.

import * as duck from '@duckdb/node-api';
import type { Bindings } from '#query/dialects/dialect.ts';
import { duckdb, preludeStatements, registerHostFunction } from '#query/dialects/duckdb.ts';
import { type ColumnType, typeOf, type Value } from '#query/values.ts';
import { EXAMPLE_NOW } from '#test/support/query-examples.ts';

type Row = ReadonlyMap<string, Value>;

/** What has a column of its own in storage; a field of a date column is declared as such. */
const STORED: readonly ColumnType[] = ['bool', 'long', 'double', 'string', 'date'];
export const SQL_TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  long: 'bigint',
  double: 'double',
  string: 'varchar',
  date: 'timestamptz',
};

/** A field's column has the type the field was first seen with. */
export function storedColumns(rows: readonly Row[], undeclared: ReadonlySet<string>): Map<string, ColumnType> {
  const columns = new Map<string, ColumnType>();
  const taken = new Set(['_id', '_time', '_table', '_rest']);
  for (const row of rows) {
    for (const [name, value] of row) {
      const type = typeOf(value);
      if (!STORED.includes(type) || taken.has(name.toLowerCase()) || undeclared.has(name)) continue;
      columns.set(name, type);
      taken.add(name.toLowerCase());
    }
  }
  return columns;
}

/** Rows without a time are read newest first in the order in which they are written. */
export const timeOf = (row: Row, index: number): Temporal.Instant => {
  const time = row.get('_time');
  return time instanceof Temporal.Instant ? time : EXAMPLE_NOW.subtract({ seconds: index + 1 });
};

/** A value as SQL of a column's type. */
export function boundCell(value: Value, type: ColumnType, bindings: Bindings): string {
  const literal = { kind: 'literal', value, type: typeOf(value), begin: 0, end: 0 } as const;
  const scope = {
    run: { now: EXAMPLE_NOW, zone: 'UTC', user: '', groups: new Map(), nextRow: () => 0n },
    constants: new Map(),
    bindings,
    column: () => ({ text: '', type: 'any' as const }),
  };
  return duckdb.expression(literal, scope, type).text;
}

/** An instance in memory that compiled statements can run on. */
export async function opened(): Promise<duck.DuckDBConnection> {
  const instance = await duck.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  registerHostFunction(duck, connection);
  for (const statement of preludeStatements) await connection.run(statement);
  return connection;
}
