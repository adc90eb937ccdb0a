// The statement that condenses rows of a table on ClickHouse, and the SELECT of DuckDB over its answer.

import type { NamelessFile } from '#files/nameless.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import { FIELD_TYPES, fieldColumns, tableName } from '#logs/stores/clickhouse/storage/layout.ts';
import type { Condition } from '#logs/stores/clickhouse/storage/visibility.ts';
import type { Columns, ColumnType } from '#logs/stores/shared/columns.ts';
import { VALUE_TYPES } from '#logs/stores/shared/known-table.ts';
import type { AggregateState, CondensedRows } from '#query/analysis/condensed-rows.ts';
import type { Column } from '#query/model/columns.ts';
import { stateName, stateRows, WEIGHT } from '#query/plan-nodes/shared/condensed.ts';
import type { TableSource } from '#query/plan-nodes/shared/scans.ts';
import { alias } from '#query/plan-nodes/shared/sql-text.ts';
import type { ExactColumn } from './exact-condition.ts';
import { NODE } from './stored-rows.ts';

/** A table of a scan as it is stored. */
export interface StoredTable {
  readonly id: number;
  readonly source: TableSource;
  readonly columns: Columns;
}

/** Of the first and the last time that a row stands for. */
export const FIRST_TIME = 'first_time';
export const LAST_TIME = 'last_time';

const DUCKDB_TYPES = { long: 'BIGINT', double: 'DOUBLE', bool: 'BOOLEAN', string: 'VARCHAR' } as const;

/**
 * A column of a scan in one of its tables, where all of its values are of the scan's type: undefined where some are of other
 * types or in `_rest`.
 */
export function exactColumn({ name, type }: Column, { source, columns }: StoredTable): ExactColumn | undefined {
  if (name === '_time') return { text: '_time', type: 'date' };
  if (name === '_node') return { text: NODE, type: 'string' };
  if (name.startsWith('_')) return undefined;
  const declared = source.columns.find((column) => column.name === name)?.type;
  if (declared === undefined) return isStored(type) ? { text: nullOf(DUCKDB_TYPES[type]), type } : undefined;
  const field = fieldColumns(columns).find((one) => one.field === name);
  const isOne = field !== undefined && declared === type && VALUE_TYPES[field.type] === type;
  return isOne ? { text: field.name, type } : undefined;
}

const isStored = (type: string): type is keyof typeof DUCKDB_TYPES => type in DUCKDB_TYPES;

const nullOf = (type: ColumnType): string => `cast(null as ${FIELD_TYPES[type]})`;

/** The same in all rows of a table. */
export const constantOf = ({ name }: Column, { source }: StoredTable): string | undefined =>
  name === '_table' ? source.name : undefined;

/** How times are divided where they are a key: milliseconds, and those by which a step begins before the epoch. */
export interface TimeSteps {
  readonly step: number;
  readonly shift: number;
}

/** On ClickHouse, of rows that a condition chooses; undefined where a column that is read has values of several types. */
export function condensingStatement(
  { keys, times, states }: CondensedRows,
  { table, steps }: { readonly table: StoredTable; readonly steps: TimeSteps },
): ((where: Condition) => Condition) | undefined {
  const list: string[] = [];
  const groups: string[] = [];
  for (const key of keys) {
    if (constantOf(key, table) !== undefined) continue;
    const column = exactColumn(key, table);
    if (!column) return undefined;
    list.push(`${column.text} as k${key.id}`);
    groups.push(column.text);
  }
  if (times) {
    list.push(`min(_time) as ${FIRST_TIME}`, `max(_time) as ${LAST_TIME}`);
    groups.push(`intDiv(_time + ${steps.shift}, ${steps.step})`);
  }
  for (const [index, state] of states.entries()) {
    const column = exactColumn(state.column, table);
    if (!column) return undefined;
    list.push(...stateList(state, column, index));
  }
  const by = groups.length === 0 ? '' : ` group by ${groups.join(', ')}`;
  const select = `select ${[...list, `count() as ${WEIGHT}`].join(', ')} from ${tableName(table.id)}`;
  return ({ text, params }) => ({ text: `${select} where ${text}${by}`, params });
}

/** Whole numbers are added up in 128 bits, as DuckDB does, and travel as text. */
function stateList({ kind }: AggregateState, { text, type }: ExactColumn, index: number): string[] {
  const sum = type === 'long' ? `toString(sum(toInt128(${text})))` : `sum(${text})`;
  switch (kind) {
    case 'count':
      return [`count(${text}) as ${stateName(index)}`];
    case 'sum':
      return [`${sum} as ${stateName(index)}`];
    case 'avg':
      return [`${sum} as ${stateName(index)}`, `count(${text}) as ${stateRows(index)}`];
    case 'distinct':
      return [`uniqExact(${text}) as ${stateName(index)}`];
    default:
      return [`${kind}(${text}) as ${stateName(index)}`];
  }
}

/** For DuckDB, with the names that `Condensed` has. */
export function condensedSelect(
  { keys, times, states }: CondensedRows,
  table: StoredTable,
  files: readonly NamelessFile[],
): string {
  const list = keys.map((key) => {
    const constant = constantOf(key, table);
    if (constant !== undefined) return `${quotedText(constant)} as ${alias(key.id)}`;
    return `k${key.id}::${isStored(key.type) ? DUCKDB_TYPES[key.type] : 'VARCHAR'} as ${alias(key.id)}`;
  });
  if (times) list.push(`make_timestamptz(${FIRST_TIME} * 1000) as ${alias(times.time)}`);
  for (const [index, { kind, column }] of states.entries()) {
    const name = stateName(index);
    list.push(`${stateSql(name, kind, column)} as ${name}`);
    if (kind === 'avg') list.push(`${stateRows(index)}::BIGINT as ${stateRows(index)}`);
  }
  list.push(`${WEIGHT}::BIGINT as ${WEIGHT}`);
  // Without a key there is a row of no record, too.
  return `select ${list.join(', ')} from ${readFiles(files)} where ${WEIGHT} > 0`;
}

export const readFiles = (files: readonly NamelessFile[]): string =>
  `read_parquet([${files.map(({ path }) => quotedText(path)).join(', ')}])`;

function stateSql(name: string, kind: AggregateState['kind'], { type }: Column): string {
  if (kind === 'count' || kind === 'distinct') return `${name}::BIGINT`;
  if (kind === 'sum' || kind === 'avg') return `${name}::${type === 'long' ? 'HUGEINT' : 'DOUBLE'}`;
  if (type === 'date') return `make_timestamptz(${name} * 1000)`;
  return `${name}::${isStored(type) ? DUCKDB_TYPES[type] : 'VARCHAR'}`;
}
