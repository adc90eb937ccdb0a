// The text of statements that read records: on ClickHouse, and on the rows that it gave.

import type { NamelessFile } from '#files/nameless.ts';
import type { TimeRange } from '#logs/log-store.ts';
import { quotedName, quotedText } from '#logs/runs/duckdb/quote.ts';
import { type FieldColumn, fieldColumns } from '#logs/stores/clickhouse/storage/layout.ts';
import type { Columns } from '#logs/stores/shared/columns.ts';
import type { StoredReads } from '#query/plan-nodes/shared/compile-context.ts';

const REST = `if(empty(_rest), null, concat('{', arrayStringConcat(arrayMap((k, v) -> concat(toJSONString(k), ':', v),
  mapKeys(_rest), mapValues(_rest)), ','), '}')) as rest_json`;

/** The node that took a record in; null where that is not known. */
export const NODE = "nullIf(toString(_node), '')";

export const allOf = (columns: Columns): StoredReads => ({
  columns: new Set(['_id', ...columns.keys()]),
  hasRest: true,
});

/** Names are internal, so that nothing of a record hides a column of the service. */
export function selectList(columns: Columns, { columns: read, hasRest }: StoredReads): string {
  const fields = fieldColumns(columns).filter(({ field }) => read.has(field));
  return [
    ...(read.has('_id') ? ['_id'] : []),
    ...(read.has('_node') ? [`${NODE} as node`] : []),
    '_time',
    ...fields.map(({ name }) => name),
    ...(hasRest ? [REST] : []),
  ].join(', ');
}

/** Of `_id`, `_time`, the columns and `_rest`, as DuckDB knows the records of any table. */
export function recordsSelect(
  files: readonly NamelessFile[],
  columns: Columns,
  { columns: read, hasRest }: StoredReads,
): string {
  const typed = ({ name, field, type }: FieldColumn) => `${name}::${type} as ${quotedName(field)}`;
  const list = [
    ...(read.has('_id') ? ['_id::bigint as _id'] : []),
    ...(read.has('_node') ? ['node::varchar as _node'] : []),
    'epoch_ms(_time) as _time',
    ...fieldColumns(columns)
      .filter(({ field }) => read.has(field))
      .map(typed),
    ...(hasRest ? ['rest_json::json as _rest'] : []),
  ];
  return `select ${list.join(', ')} from ${parquetOf(files)}`;
}

export const parquetOf = (files: readonly NamelessFile[]): string =>
  `read_parquet([${files.map(({ path }) => quotedText(path)).join(', ')}])`;

export const boundsOf = ({ from, to }: TimeRange): string[] => [
  ...(from === undefined ? [] : ['_time >= {from:Int64}']),
  ...(to === undefined ? [] : ['_time < {to:Int64}']),
];

export const rangeParams = ({ from, to }: TimeRange) => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

/** For DuckDB. */
export const conditionOf = ({ from, to }: TimeRange): string =>
  [
    'true',
    ...(from === undefined ? [] : [`_time >= epoch_ms(${from}::bigint)`]),
    ...(to === undefined ? [] : [`_time < epoch_ms(${to}::bigint)`]),
  ].join(' and ');
