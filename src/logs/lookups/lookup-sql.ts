// Values of stored lookups in SQL: how they are read of the lines that the local evaluator writes, and of the files that DuckDB writes.

import type { FileColumn } from '#logs/lookup-files.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import type { ColumnType } from '#query/model/values.ts';

/** Types that have a column of their own in a file; values of all others are tagged JSON. */
const SQL_TYPES: Partial<Record<ColumnType, string>> = {
  string: 'varchar',
  long: 'bigint',
  double: 'double',
  bool: 'boolean',
  date: 'timestamptz',
};

export const isStoredType = (type: ColumnType): boolean => SQL_TYPES[type] !== undefined;
export const asJson = (type: ColumnType): boolean => !isStoredType(type);

/** Columns of a line before its values: its number, its key, its characters. */
const BEFORE_VALUES = 3;

/** A value of a line, which is a tagged JSON list. */
export function fromLine(index: number, type: ColumnType): string {
  const path = `$[${index + BEFORE_VALUES}]`;
  if (type === 'string') return `json->>'${path}'`;
  if (type === 'date') return `make_timestamptz((json->>'${path}."$date"')::bigint * 1000)`;
  return isStoredType(type) ? `(json->>'${path}')::${SQL_TYPES[type]}` : `nullif(json->'${path}', 'null')::json`;
}

/** A column of a file in the form of row texts: dates are milliseconds, and tagged JSON stays as it is. */
export const fileColumn = (index: number, type: ColumnType): string =>
  type === 'date' ? `epoch_ms(l${index})` : asJson(type) ? `l${index}::json` : `l${index}`;

/** A value as a text that a keyword may be in. */
export const shownCell = (index: number, type: ColumnType): string =>
  asJson(type) ? `coalesce(l${index}::json->>'$', '')` : `coalesce(l${index}::varchar, '')`;

/** All rows of a file with other columns or types than it was written with; names that it does not have are null. */
export function selectOfFile(
  path: string,
  columns: readonly FileColumn[],
  wanted: readonly { readonly name: string; readonly type: ColumnType }[],
): string {
  return `select k, s, ${listOf(columns, wanted).join(', ')} from read_parquet(${quotedText(path)})`;
}

/** Entries of a SELECT over a file. */
export function listOf(
  columns: readonly FileColumn[],
  wanted: readonly { readonly name: string; readonly type: ColumnType }[],
): string[] {
  return wanted.map(({ name, type }, at) => {
    const index = columns.findIndex((column) => column.name === name);
    const found = columns[index];
    const text = found ? converted(index, found.type, type) : `null::${SQL_TYPES[type] ?? 'json'}`;
    return `${text} as l${at}`;
  });
}

function converted(index: number, from: ColumnType, to: ColumnType): string {
  const own = `l${index}`;
  if (isStoredType(to)) return own;
  if (asJson(from)) return `${own}::json`;
  return from === 'date'
    ? `case when ${own} is not null then json_object('$date', epoch_ms(${own})) end`
    : `to_json(${own})`;
}
