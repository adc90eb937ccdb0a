// How rows of tests are stored: typed columns, and what does not fit them in `_rest`.

import * as duckdb from '@duckdb/node-api';
import type { StageCounts } from '#query/analysis/push-counts.ts';
import type { KnownColumn } from '#query/model/columns.ts';
import { type ColumnType, typeOf, type Value } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { FurtherTypes } from '#query/plan-nodes/shared/compile-context.ts';
import { lookupColumn } from '#query/plan-nodes/shared/lookup-rows.ts';
import type { SystemRows } from '#query/plan-nodes/system.ts';
import { expressionSql } from '#query/sql/expressions.ts';
import { registerLocalFunction } from '#query/sql/local-function.ts';
import { preludeStatements } from '#query/sql/macros.ts';
import { Bindings } from '#query/sql/scope.ts';
import { statementOf } from '#query/sql/statement.ts';
import { quotedName } from '#query/sql/writer.ts';
import { isCounting, stageCountsOf, stageCountsStatement } from '#query/statements/statements.ts';
import { EXAMPLE_NOW, SERVICE_FIELDS } from '#test/support/query-examples.ts';

type Row = ReadonlyMap<string, Value>;

/** What has a column of its own in storage; a field of a date column is declared as such. */
const STORED: readonly ColumnType[] = ['bool', 'long', 'double', 'string', 'date'];
const SQL_TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  long: 'bigint',
  double: 'double',
  string: 'varchar',
  date: 'timestamptz',
};

/** A field's column has the type the field was first seen with; the engine has no whole double in any column. */
export function storedColumns(rows: readonly Row[], undeclared: ReadonlySet<string>): Map<string, ColumnType> {
  const columns = new Map<string, ColumnType>();
  const wholes = rows.flatMap((row) => [...row].filter(([, value]) => isWholeDouble(value)).map(([name]) => name));
  const taken = new Set(['_id', '_time', '_table', '_rest', ...wholes.map((name) => name.toLowerCase())]);
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

const isWholeDouble = (value: Value): boolean => typeof value === 'number' && Number.isInteger(value);

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
  return expressionSql(literal, scope, type).text;
}

/** An instance in memory that compiled statements can run on. */
/** The counts of the statements that made these tables. */
export async function countsOf(
  connection: duckdb.DuckDBConnection,
  stages: ReadonlyMap<PlanNode, string>,
): Promise<Map<PlanNode, StageCounts>> {
  const counts = new Map<PlanNode, StageCounts>();
  for (const [node, table] of stages) {
    if (!isCounting(node)) continue;
    const [row = []] = (await connection.runAndReadAll(stageCountsStatement(node, table))).getRows();
    counts.set(node, stageCountsOf(row));
  }
  return counts;
}

export async function opened(): Promise<duckdb.DuckDBConnection> {
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  registerLocalFunction(duckdb, connection);
  for (const statement of preludeStatements) await connection.run(statement);
  return connection;
}

export interface StoredTable {
  readonly rows: readonly Row[];
  readonly columns: ReadonlyMap<string, ColumnType>;
  /** Absent: values of other types are in `_rest`. */
  readonly further?: ReadonlyMap<string, FurtherTypes>;
}

/** A column for each further type of a field; a value that no column holds is in `_rest`. */
export function furtherColumns(
  rows: readonly Row[],
  columns: ReadonlyMap<string, ColumnType>,
): Map<string, FurtherTypes> {
  return new Map(
    [...columns].map(([name, type]) => {
      const others = rows
        .map((row) => row.get(name) ?? null)
        .filter((value) => value !== null && typeOf(value) !== type);
      const types = new Set(others.flatMap((value) => furtherType(value, type) ?? []));
      const further = [...types].map((one) => ({ name: `${name}:${one}`, type: one }));
      return [name, { columns: further, isInRest: others.some((value) => furtherType(value, type) === undefined) }];
    }),
  );
}

const isNumberType = (type: ColumnType): boolean => type === 'long' || type === 'double';

/** The type of the further column of a value in a field with a column of that type. */
function furtherType(value: Value, first: ColumnType): ColumnType | undefined {
  const type = typeOf(value);
  if (type === 'string' || type === 'bool') return type === first ? undefined : type;
  const isExact = typeof value === 'number' || (typeof value === 'bigint' && BigInt(Number(value)) === value);
  return isNumberType(type) && isExact && !isNumberType(first) ? 'double' : undefined;
}

/** Makes a table as the engine does: what fits no column of its row is in `_rest`. */
export async function createStored(
  connection: duckdb.DuckDBConnection,
  table: string,
  { rows, columns, further = new Map() }: StoredTable,
): Promise<void> {
  const bindings = new Bindings();
  const cell = (value: Value, type: ColumnType) => boundCell(value, type, bindings);
  const beside = [...further].flatMap(([field, types]) => types.columns.map((column) => ({ ...column, field })));
  const heads = [...columns, ...beside.map(({ name, type }) => [name, type] as const)].map(
    ([column, type]) => `${quotedName(column)} ${SQL_TYPES[type]}`,
  );
  await connection.run(
    `create table ${table} (${['_id bigint', '_time timestamp', ...heads, '_rest json'].join(', ')})`,
  );
  if (rows.length === 0) return;
  const lines = rows.map((row, index) => {
    const fits = (column: string, value: Value) => columns.get(column) === typeOf(value);
    const further = (column: string, value: Value) => {
      const first = columns.get(column);
      const type = first && value !== null ? furtherType(value, first) : undefined;
      return beside.find((one) => one.field === column && one.type === type);
    };
    const isLeft = (column: string, value: Value) => !fits(column, value) && !further(column, value);
    const rest = [...row].filter(([column, value]) => !SERVICE_FIELDS.includes(column) && isLeft(column, value));
    const cells = [...columns].map(([column, type]) => {
      const value = row.get(column) ?? null;
      return cell(fits(column, value) ? value : null, type);
    });
    const furtherCells = beside.map((column) => {
      const value = row.get(column.field) ?? null;
      const isThere = !fits(column.field, value) && further(column.field, value) === column;
      return cell(isThere && typeof value === 'bigint' ? Number(value) : isThere ? value : null, column.type);
    });
    const time = `epoch_ms(${timeOf(row, index).epochMilliseconds}::bigint)`;
    return `(${[index + 1, time, ...cells, ...furtherCells, cell(rest.length > 0 ? new Map(rest) : null, 'map')].join(', ')})`;
  });
  const statement = statementOf(duckdb, `insert into ${table} values ${lines.join(', ')}`, bindings);
  await connection.run(statement.text, statement.values, statement.types);
}

export async function createLookup(
  connection: duckdb.DuckDBConnection,
  table: string,
  { rows, columns }: { rows: readonly Row[]; columns: readonly KnownColumn[] },
): Promise<void> {
  const bindings = new Bindings();
  const lines = (rows.length > 0 ? rows : [new Map<string, Value>()]).map((row) => {
    const cells = columns.map(
      ({ name, type }, index) => `${boundCell(row.get(name) ?? null, type, bindings)} as ${lookupColumn(index)}`,
    );
    return `select ${cells.join(', ')}`;
  });
  const none = rows.length > 0 ? '' : ' where false';
  const statement = statementOf(duckdb, `create table ${table} as ${lines.join(' union all ')}${none}`, bindings);
  await connection.run(statement.text, statement.values, statement.types);
}

/** Of `system tables`; other objects are none here. */
export const systemRows = ({ object }: SystemRows, tables: ReadonlyMap<string, StoredTable>) =>
  object === 'tables' ? [...tables].map(([name, stored]) => systemRow(name, stored)) : [];

const systemRow = (name: string, { rows, columns }: StoredTable): ReadonlyMap<string, Value> =>
  new Map<string, Value>([
    ['table_name', name],
    ['layout', 'columnar'],
    ['row_count', BigInt(rows.length)],
    ['columns', [...columns.keys()]],
  ]);
