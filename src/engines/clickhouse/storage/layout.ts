// How a table is laid out on ClickHouse: columns of the service, a column for each learnt field under its number, and all other
// values by name, each as the JSON text that was sent.

import type { Columns, ColumnType } from '#engines/duckdb/storage/columns.ts';
import type { Compression, TableSpec } from '#engines/engine.ts';

export const FIELD_TYPES: Readonly<Record<ColumnType, string>> = {
  BIGINT: 'Nullable(Int64)',
  DOUBLE: 'Nullable(Float64)',
  BOOLEAN: 'Nullable(Bool)',
  VARCHAR: 'Nullable(String)',
};

/** Of every record, in the order in which they are written. `_day` is yyyyMMdd in the zone of the service, `_arrived` µs. */
export const OWN_COLUMNS = [
  ['_id', 'UInt64'],
  ['_day', 'UInt32'],
  ['_time', 'Int64'],
  ['_arrived', 'Int64'],
  ['_upload', 'UInt64'],
  ['_node', 'LowCardinality(String)'],
  ['_rest', 'Map(LowCardinality(String), String)'],
] as const;

const CODECS: Readonly<Record<Compression, string>> = { snappy: 'LZ4', deflate: 'ZSTD(3)' };

export const tableName = (id: number): string => `t_${id}`;

/** By its place among the learnt columns, from 0. A place never changes. */
export const fieldName = (place: number): string => `f${place + 1}`;

/** 2026-11-15 as 20261115. */
export const dayNumber = (day: string): number => Number(day.replaceAll('-', ''));

export function dayName(day: number): string {
  const text = String(day).padStart(8, '0');
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}

/** A stored field: its name in records, its column, and the type of that. */
export interface FieldColumn {
  readonly field: string;
  readonly name: string;
  readonly type: ColumnType;
}

export const fieldColumns = (columns: Columns): FieldColumn[] =>
  [...columns].map(([field, type], place) => ({ field, name: fieldName(place), type }));

/** An acknowledged insert is on disk; a repeated token is known for so many inserts. */
const DURABILITY = 'fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000';

export function createStatement({ id, compression }: TableSpec, columns: Columns): string {
  const codec = `codec(${CODECS[compression]})`;
  const fields = fieldColumns(columns).map(({ name, type }) => [name, FIELD_TYPES[type]] as const);
  const all = [...OWN_COLUMNS, ...fields].map(([name, type]) => `${name} ${type} ${codec}`);
  // Uploads that are not committed are looked for by number, and most parts hold none.
  const index = 'index _uploads _upload type minmax granularity 1';
  return `create table if not exists ${tableName(id)} (${[...all, index].join(', ')})
    engine = MergeTree partition by _day order by (_time, _id) settings ${DURABILITY}`;
}

/** Brings a table to the columns that were learnt, from those that it has by name; undefined where it has them all. */
export function alterStatement(
  { id, compression }: TableSpec,
  columns: Columns,
  present: ReadonlyMap<string, string>,
): string | undefined {
  const changes = fieldColumns(columns).flatMap(({ name, type }) => {
    const known = present.get(name);
    if (known === undefined)
      return [`add column if not exists ${name} ${FIELD_TYPES[type]} codec(${CODECS[compression]})`];
    // The only widening there is; the other way round an older process would be at work.
    return known !== FIELD_TYPES[type] && type === 'DOUBLE' ? [`modify column ${name} ${FIELD_TYPES[type]}`] : [];
  });
  return changes.length === 0 ? undefined : `alter table ${tableName(id)} ${changes.join(', ')}`;
}
