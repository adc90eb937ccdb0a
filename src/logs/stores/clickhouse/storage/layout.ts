// How a table is laid out on ClickHouse: columns of the service, a column for each learnt field under its number, and all other
// values by name, each as the JSON text that was sent.

import type { Compression, TableSpec } from '#logs/log-store.ts';
import type { Columns, ColumnType } from '#logs/stores/shared/columns.ts';
import { gramIndex, gramIndexName, MAX_FILTERED_COLUMNS } from './gram-filters.ts';

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

export const tableId = (name: string): number => Number(name.slice('t_'.length));

/** By its index among the learnt columns, from 0. An index never changes. */
export const fieldName = (index: number): string => `f${index + 1}`;

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
  [...columns].map(([field, type], index) => ({ field, name: fieldName(index), type }));

/** An acknowledged insert is on disk; a repeated token is known for so many inserts. */
const DURABILITY = 'fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 10000';

export function createStatement(spec: TableSpec, columns: Columns): string {
  const codec = `codec(${CODECS[spec.compression]})`;
  const comments = commentsOf(spec, columns);
  const fields = fieldColumns(columns).map(({ name, type }) => [name, FIELD_TYPES[type]] as const);
  const all = [...OWN_COLUMNS, ...fields].map(([name, type]) => {
    const comment = comments.get(name) ?? '';
    return `${name} ${type} ${comment === '' ? '' : `comment ${quotedLiteral(comment)} `}${codec}`;
  });
  // Uploads that are not committed are looked for by number, and most parts hold none.
  const uploads = 'index _uploads _upload type minmax granularity 1';
  const indexes = [uploads, ...filteredColumns(columns).map((name) => `index ${gramIndex(name)}`)];
  return `create table if not exists ${tableName(spec.id)} (${[...all, ...indexes].join(', ')})
    engine = MergeTree partition by _day order by (_time, _id) settings ${DURABILITY}`;
}

/** Those of texts. */
const filteredColumns = (columns: Columns): string[] =>
  fieldColumns(columns)
    .filter(({ type }) => type === 'VARCHAR')
    .slice(0, MAX_FILTERED_COLUMNS)
    .map(({ name }) => name);

/** A column as a server has it. */
export interface PresentColumn {
  readonly type: string;
  readonly comment: string;
}

/** A table as a server has it. */
export interface PresentTable {
  readonly columns: ReadonlyMap<string, PresentColumn>;
  /** Its CREATE statement, which tells of filters; absent where none are to be added. */
  readonly created?: string;
}

/** Brings a table to the columns that were learnt, with their filters, from what it has; undefined where it has all. */
export function alterStatement(spec: TableSpec, columns: Columns, table: PresentTable): string | undefined {
  const { columns: present, created } = table;
  const typed = fieldColumns(columns).flatMap(({ name, type }) => {
    const known = present.get(name)?.type;
    if (known === undefined)
      return [`add column if not exists ${name} ${FIELD_TYPES[type]} codec(${CODECS[spec.compression]})`];
    // The only widening there is; the other way round an older process would be at work.
    return known !== FIELD_TYPES[type] && type === 'DOUBLE' ? [`modify column ${name} ${FIELD_TYPES[type]}`] : [];
  });
  const commented = [...commentsOf(spec, columns)]
    .filter(([name, comment]) => (present.get(name)?.comment ?? '') !== comment)
    .map(([name, comment]) => `comment column ${name} ${quotedLiteral(comment)}`);
  const filters = (created === undefined ? [] : filteredColumns(columns))
    .filter((name) => !created?.includes(` ${gramIndexName(name)} `))
    .map((name) => `add index if not exists ${gramIndex(name)}`);
  const changes = [...typed, ...commented, ...filters];
  return changes.length === 0 ? undefined : `alter table ${tableName(spec.id)} ${changes.join(', ')}`;
}

/** The column whose comment says which table it is. */
export const NAMING_COLUMN = '_id';

/** What the comments of a table say: a statement with all of them stays below `max_query_size`. */
const MAX_COMMENT_BYTES = 400;

/**
 * Names for those who see the servers alone: that of the table with its layout, as JSON, and those of fields. The service reads its catalog
 * and never these. A name that is too long is left out.
 */
function commentsOf({ name, layout }: TableSpec, columns: Columns): ReadonlyMap<string, string> {
  const fields = fieldColumns(columns).map(({ name: column, field }) => [column, field] as const);
  const all = [[NAMING_COLUMN, JSON.stringify({ table: name, layout })] as const, ...fields];
  return new Map(all.filter(([, comment]) => Buffer.byteLength(comment) <= MAX_COMMENT_BYTES));
}

/** Names of fields are what a sender wrote: a comment cannot be bound, so all that ends or escapes is written as its bytes. */
const quotedLiteral = (text: string): string => `'${text.replaceAll(/[\\'\p{Cc}]/gu, hexEscapes)}'`;

const hexEscapes = (char: string): string =>
  [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
