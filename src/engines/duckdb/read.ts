// Reading a snapshot: the SQL of its records, and a record put together again from its columns.

import { join } from 'node:path';
import type { Fields, Layout, TableSpec, TimeRange } from '#engines/engine.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { parseExactly } from '#kernel/exact-json.ts';
import { RESERVED } from './columns.ts';
import { quotedText } from './quote.ts';
import type { Snapshot } from './table.ts';

/** A SELECT over the records of a snapshot that fall into a range. Segments outside of it are not opened. */
export function sourceOf(snapshot: Snapshot, { from, to }: TimeRange, layout: Layout): string {
  const files = snapshot.segments
    .filter(({ minTime, maxTime }) => (from === undefined || maxTime >= from) && (to === undefined || minTime < to))
    .map(({ file }) => quotedText(join(snapshot.folder, file)));
  const bounds = [
    ...(from === undefined ? [] : [`_time >= epoch_ms(${from}::bigint)`]),
    ...(to === undefined ? [] : [`_time < epoch_ms(${to}::bigint)`]),
  ];
  const where = bounds.length === 0 ? '' : ` where ${bounds.join(' and ')}`;
  const sources = [
    ...(files.length === 0 ? [] : [`read_parquet([${files.join(', ')}], union_by_name = true)`]),
    ...snapshot.hotTables,
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

/** A record put together again from `record`, a row as JSON: columns without a value are absent, `_rest` is laid over. */
export function fieldsOf(record: string, time: number, { name, layout }: TableSpec): Fields {
  const { _id, _time, _rest, _doc, ...columns } = parseExactly(record) as Row; // As DuckDB writes it.
  const own = { _table: name, _time: time, _id };
  if (layout === 'row') return { ...own, ...withoutReserved(_doc) };
  const present = Object.entries<Json>(columns).filter(([, value]) => value !== null);
  return { ...own, ...Object.fromEntries(present), ...(_rest ?? {}) };
}

function withoutReserved(document: Fields): Fields {
  return Object.fromEntries(
    Object.entries(document).filter(([name]) => !RESERVED.some((reserved) => reserved === name)),
  );
}
