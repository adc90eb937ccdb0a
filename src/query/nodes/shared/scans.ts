// Scans of stored tables.

import type { Column, KnownColumn } from '#query/model/columns.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { FulltextScan } from '#query/nodes/fulltext.ts';
import type { Node } from '#query/nodes/node.ts';
import type { PlanCompiler } from '#query/nodes/sql-compiler.ts';
import type { TableScan } from '#query/nodes/table.ts';
import { asType, overflowKey } from '#query/sql/conversion.ts';
import { storedField } from '#query/sql/expressions.ts';
import type { Sql, SqlType } from '#query/sql/scope.ts';
import type { StoredReads } from './compile-context.ts';
import type { Reading } from './reading.ts';
import { cut } from './sql-text.ts';

export interface TableSource {
  readonly name: string;
  /** Declared columns of this table by name; the merged ones are in `rows`. */
  readonly columns: readonly KnownColumn[];
  /** Whether it may have fields beside these. */
  readonly isOpen: boolean;
  /** Names of these fields, as far as they are recorded; absent where any may be there. */
  readonly keys?: ReadonlySet<string>;
}

/** Whether records of the table may hold the name beside its declared columns. */
export const mayHoldBeside = ({ columns, isOpen, keys }: TableSource, name: string): boolean =>
  isOpen && (keys === undefined || keys.has(name)) && !columns.some((column) => column.name === name);

/** `_table`, `_time` and `_id` are always among the columns, declared ones of all tables follow, then the overflow. */
export interface StoredRows extends Node {
  readonly tables: readonly TableSource[];
  readonly range: TimeRange;
  readonly direction: 'desc' | 'asc';
  readonly offset: bigint;
  readonly limit?: bigint;
  /** The node whose tables they are: the value of `_node`. */
  readonly node: string;
}

export type Scan = TableScan | FulltextScan;

export const namesOf = (tables: readonly TableSource[]): string[] => tables.map(({ name }) => name);

/** Which rows are the first depends on their order. */
export function readCut({ limit, offset, rows }: Scan, reading: Reading): void {
  if (limit !== undefined || offset > 0n) reading.order(rows);
}

const OVERFLOW: Sql = { text: '_rest', type: 'map', isPlain: true };

export function cutScan({ rows, offset, limit }: Scan, text: string, compiler: PlanCompiler): string {
  if (limit === undefined && offset === 0n) return text;
  const order = compiler.order(rows);
  return `select * from (${text}) ${order === undefined ? '' : `order by ${order} `}${cut(limit, offset)}`;
}

export function scanSql(node: Scan, compiler: PlanCompiler): string {
  const { tables, rows } = node;
  if (tables.length > 0)
    return tables
      .map((table) => {
        const from = compiler.table({ scan: node, table, reads: storedReads(node, table, compiler) });
        return tableSql(node, { table, from }, compiler);
      })
      .join(' union all ');
  const computed = new Map(compiler.outputs(rows).map((id) => [id, nullOf(compiler.typeOf(id), compiler)]));
  return compiler.select(rows, { from: '(select 1)', computed, tail: 'where false' });
}

const nullOf = (type: SqlType, compiler: PlanCompiler): string =>
  compiler.converted({ text: 'null', type: 'null' }, type);

interface NamedTable {
  readonly table: TableSource;
  /** The name of its SELECT. */
  readonly from: string;
}

/** The rows of one of the tables of a scan. */
export function tableSql(node: Scan, { table, from }: NamedTable, compiler: PlanCompiler): string {
  const { rows, range } = node;
  const computed = new Map(
    [...rows.columns, ...(rows.unlisted ?? [])]
      .filter(({ id }) => compiler.isRead(id))
      .map((column) => [column.id, storedSql(column, { table, node }, compiler)] as const),
  );
  const { overflow } = rows;
  if (overflow && compiler.isRead(overflow.id)) computed.set(overflow.id, table.isOpen ? OVERFLOW.text : 'null::json');
  const bounds = [
    ...(range.from ? [`_time >= epoch_ms(${compiler.bind(BigInt(range.from.epochMilliseconds)).text})`] : []),
    ...(range.to ? [`_time < epoch_ms(${compiler.bind(BigInt(range.to.epochMilliseconds)).text})`] : []),
  ];
  const tail = bounds.length > 0 ? { tail: `where ${bounds.join(' and ')}` } : {};
  return compiler.select(rows, { from, computed, ...tail });
}

/** The stored columns that `tableSql` reads. */
export function storedReads({ rows }: Scan, table: TableSource, compiler: PlanCompiler): StoredReads {
  const columns = new Set<string>();
  const storedColumns = compiler.context.storedColumns(table.name);
  const declaredTypes = new Map(table.columns.map((column) => [column.name, storedType(column)]));
  const { overflow } = rows;
  let hasRest = overflow !== undefined && table.isOpen && compiler.isRead(overflow.id);
  for (const { id, name } of [...rows.columns, ...(rows.unlisted ?? [])]) {
    if (!compiler.isRead(id)) continue;
    if (name === '_id' || (name === '_node' && compiler.context.storesNode?.(table.name))) columns.add(name);
    const declared = declaredTypes.get(name);
    if (OWN_NAMES.includes(name)) continue;
    if (declared === undefined) {
      hasRest ||= mayHoldBeside(table, name);
      continue;
    }
    const stored = storedColumns.get(name);
    if (stored !== undefined) columns.add(name);
    hasRest ||= stored === undefined || (stored !== declared && declared === 'any');
  }
  return { columns, hasRest };
}

const OWN_NAMES: readonly string[] = ['_node', '_table', '_time', '_id'];

interface StoredIn {
  readonly table: TableSource;
  readonly node: Scan;
}

const storedType = ({ type, isNumber }: KnownColumn): SqlType => (isNumber ? 'number' : type);

function storedSql(column: Column, { table: source, node }: StoredIn, compiler: PlanCompiler) {
  const { name: table, columns } = source;
  const name = column.name;
  const type = storedType(column);
  if (name === '_node') return compiler.context.storesNode?.(table) ? '_node' : compiler.bind(node.node).text;
  if (name === '_table') return compiler.bind(table).text;
  if (name === '_time') return 'make_timestamptz(epoch_us(_time))';
  if (name === '_id') return '_id';
  const declared = columns.find((one) => one.name === name);
  // A column of another table may be in the overflow of this one.
  if (!declared && mayHoldBeside(source, name))
    return compiler.converted(overflowKey(OVERFLOW, name, compiler.writer()), type);
  if (!declared) return nullOf(type, compiler);
  return compiler.converted(storedValue(declared, table, compiler), type);
}

/** A column of type any may have its value in the overflow; all others hold values of their declared type. */
function storedValue(declared: KnownColumn, table: string, compiler: PlanCompiler): Sql {
  const name = declared.name;
  const type = storedType(declared);
  const stored = compiler.context.storedColumns(table).get(name);
  const scope = compiler.scope();
  if (stored === undefined) return asType(overflowKey(OVERFLOW, name, compiler.writer()), type, compiler.writer());
  const column: Sql = { text: compiler.stored(name), type: stored, isPlain: true };
  if (stored === type) return column;
  if (type === 'number') return { ...column, type };
  return type === 'any' ? storedField(column, OVERFLOW, name, scope) : asType(column, type, compiler.writer());
}
