// Reading a snapshot: the SQL of its records, and a record put together again from its columns.

import type { Fields, Layout, TableSpec, TimeRange } from '#engines/engine.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { parseExactly } from '#kernel/exact-json.ts';
import { quotedText } from './quote.ts';

/** A SELECT over those records of Parquet files and of hot tables that fall into a range. */
export function sourceOf(
  { paths, hotTables, layout }: { paths: readonly string[]; hotTables: readonly string[]; layout: Layout },
  { from, to }: TimeRange,
): string {
  const files = paths.map(quotedText);
  const bounds = [
    ...(from === undefined ? [] : [`_time >= epoch_ms(${from}::bigint)`]),
    ...(to === undefined ? [] : [`_time < epoch_ms(${to}::bigint)`]),
  ];
  const where = bounds.length === 0 ? '' : ` where ${bounds.join(' and ')}`;
  const sources = [
    ...(files.length === 0 ? [] : [`read_parquet([${files.join(', ')}], union_by_name = true)`]),
    ...hotTables,
  ];
  if (sources.length === 0) return layout === 'row' ? EMPTY_ROWS : EMPTY_COLUMNS;
  return sources.map((source) => `select * from ${source}${where}`).join(' union all by name ');
}

const EMPTY_ROWS = 'select null::bigint as _id, null::timestamp as _time, null::json as _doc where false';
const EMPTY_COLUMNS = 'select null::bigint as _id, null::timestamp as _time, null::json as _rest where false';

interface Row extends Record<string, Json> {
  readonly _id: number;
  readonly _time: string;
  /** Null where nothing was left over; absent in the other layout. */
  readonly _rest: { readonly [name: string]: Json } | null;
  readonly _doc: { readonly [name: string]: Json };
}

/** A record put together again from a row as JSON: columns without a value are absent, `_rest` is laid over. */
export function fieldsOf(row: string, { name, layout }: Pick<TableSpec, 'name' | 'layout'>): Fields {
  const { time, record } = parseExactly(row) as { time: number; record: Row }; // As DuckDB writes it.
  const { _id, _time, _rest, _doc, ...columns } = record;
  const own = { _table: name, _time: time, _id };
  if (layout === 'row') return { ...own, ..._doc };
  const present = Object.entries<Json>(columns).filter(([, value]) => value !== null);
  return { ...own, ...Object.fromEntries(present), ...(_rest ?? {}) };
}
