// The tables of a log store as its servers alone tell of them: names of tables and fields stand in the comments of columns.

import type { Json } from '#kernel/json/canonical-json.ts';
import type { Layout, TableSpec } from '#logs/log-store.ts';
import {
  FIELD_TYPES,
  fieldName,
  NAMING_COLUMN,
  OWN_COLUMNS,
  tableId,
  tableName,
} from '#logs/stores/clickhouse/storage/layout.ts';
import type { Shards } from '#logs/stores/clickhouse/storage/shards.ts';
import type { Columns, ColumnType } from '#logs/stores/shared/columns.ts';
import { isName } from '#query/language/names.ts';

export interface NamedTable {
  readonly spec: TableSpec;
  /** Of all stored fields. One whose name is not told has a name that no record can have. */
  readonly columns: Columns;
}

/** Whether the name of a column of a `NamedTable` is that of a field. */
export const isTold = (name: string): boolean => !name.startsWith(UNTOLD);

const UNTOLD = '_untold_';

export interface TablesThere {
  readonly tables: readonly NamedTable[];
  /** Names on the servers, of tables that cannot be read: without a name, or not the same on all servers. */
  readonly leftOut: readonly string[];
}

const STATEMENT = `select table, name, type, comment from system.columns
  where database = currentDatabase() and match(table, '^t_[0-9]+$') order by table, position`;

export async function tablesThere(shards: Shards, signal: AbortSignal): Promise<TablesThere> {
  const perShard = await shards.each(async (client) => tablesIn(await client.rows(STATEMENT, { signal })));
  const names = new Set(perShard.flatMap((tables) => [...tables.keys()]));
  const found: NamedTable[] = [];
  const leftOut: string[] = [];
  for (const name of names) {
    const [first, ...others] = perShard.map((tables) => tables.get(name));
    const isOnAll = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
    const table = first && isOnAll ? namedTable(name, first) : undefined;
    if (table) found.push(table);
    else leftOut.push(name);
  }
  // One that was made again stands beside the one of its name that is being dropped.
  const tables = [...Map.groupBy(found, ({ spec }) => spec.name).values()].flatMap((same) => {
    const [newest, ...older] = same.toSorted((one, other) => other.spec.id - one.spec.id);
    leftOut.push(...older.map(({ spec }) => tableName(spec.id)));
    return newest ? [newest] : [];
  });
  return { tables, leftOut };
}

interface StoredColumn {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

function tablesIn(rows: readonly (readonly Json[])[]): ReadonlyMap<string, readonly StoredColumn[]> {
  const grouped = Map.groupBy(rows, ([table]) => String(table));
  const column = ([, name, type, comment]: readonly Json[]): StoredColumn => ({
    name: String(name),
    type: String(type),
    comment: String(comment),
  });
  return new Map([...grouped].map(([name, columns]) => [name, columns.map(column)]));
}

const TYPES = new Map<string, ColumnType>(
  Object.entries(FIELD_TYPES).map(([type, stored]) => [stored, type as ColumnType]),
);

/** Undefined where it is none of this service, or does not say which. */
function namedTable(name: string, stored: readonly StoredColumn[]): NamedTable | undefined {
  const about = nameIn(stored.find((column) => column.name === NAMING_COLUMN)?.comment ?? '');
  const present = new Map(stored.map((column) => [column.name, column]));
  if (!about || OWN_COLUMNS.some(([column]) => !present.has(column))) return undefined;
  const columns = new Map<string, ColumnType>();
  for (let index = 0; ; index += 1) {
    const column = present.get(fieldName(index));
    if (!column) break;
    const type = TYPES.get(column.type);
    if (!type) return undefined;
    const isNew = column.comment !== '' && !columns.has(column.comment);
    columns.set(isNew ? column.comment : `${UNTOLD}${index}`, type);
  }
  return { spec: { id: tableId(name), ...about, compression: 'snappy' }, columns };
}

/** Anyone who may alter the table may write its comments. */
function nameIn(comment: string): { readonly name: string; readonly layout: Layout } | undefined {
  try {
    const { table, layout } = JSON.parse(comment);
    const isKnown = typeof table === 'string' && isName(table) && (layout === 'row' || layout === 'columnar');
    return isKnown ? { name: table, layout } : undefined;
  } catch {
    return undefined;
  }
}
