// Scans of stored tables.

import type { Column, KnownColumn, Rows } from '#query/model/columns.ts';
import type { ColumnId } from '#query/model/expression.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { FulltextScan } from '#query/plan-nodes/fulltext.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import type { TableScan } from '#query/plan-nodes/table.ts';
import { asType, firstOf, overflowKey, toAny } from '#query/sql/conversion.ts';
import { mixedValue, partOf } from '#query/sql/mixed.ts';
import { type MixedParts, PART_NAMES, type PartName, type Sql, type SqlType } from '#query/sql/scope.ts';
import type { FurtherTypes, StoredReads } from './compile-context.ts';
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
export const mayHoldBeside = (table: TableSource, name: string): boolean =>
  table.isOpen && (table.keys === undefined || table.keys.has(name)) && !declaredIn(table).has(name);

/** Whether records of the table may hold the name. */
export const mayHoldField = (table: TableSource, name: string): boolean =>
  declaredIn(table).has(name) || mayHoldBeside(table, name);

/** `_table`, `_time` and `_id` are always among the columns, declared ones of all tables follow, then the overflow. */
export interface StoredRows extends PlanNode {
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
    return compiler.union(
      tables.map((table) => {
        const source = compiler.table({ scan: node, table, reads: storedReads(node, table, compiler) });
        return { source, text: tableSql(node, { table, from: source }, compiler) };
      }),
    );
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
  const partTypes = mixedColumns(node, compiler);
  const computed = new Map<ColumnId, string | Sql>(
    [...rows.columns, ...(rows.unlisted ?? [])]
      .filter(({ id }) => compiler.isRead(id))
      .map((column) => {
        const types = partTypes.get(column.id);
        const text = storedSql(column, { table, planNode: node }, compiler);
        return [
          column.id,
          types ? { text, type: 'any', parts: alikeParts(column, types, table, compiler) } : text,
        ] as const;
      }),
  );
  const { overflow } = rows;
  if (overflow && compiler.isRead(overflow.id)) computed.set(overflow.id, overflowSql(node, table, compiler));
  for (const { id, path } of overflow ? compiler.leavesOf(overflow.id) : []) {
    const types = leafPartTypes(node, path, compiler) ?? new Map();
    const own = leafParts(path, table, compiler);
    computed.set(id, { ...mixedValue(own, compiler.writer()), parts: withTypes(own, types, compiler) });
  }
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
  const storedColumns = compiler.storedColumns(table.name);
  const declared = declaredIn(table);
  const { overflow } = rows;
  const leafTypes = compiler.leafTypes(table.name);
  const isOverflowRead = overflow !== undefined && table.isOpen && compiler.isRead(overflow.id);
  const need = isOverflowRead ? compiler.reading.overflowNeed(overflow) : 'none';
  const inRest = new Set<string>();
  let hasRest = isOverflowRead;
  for (const { path } of overflow ? compiler.leavesOf(overflow.id) : []) {
    const [field = ''] = path;
    const shape = leafTypes.shapeOf(field);
    const ofPath = leafTypes.columnsOf(path);
    if (ofPath && shape !== undefined)
      for (const name of [shape, ...ofPath.map((column) => column.name)]) columns.add(name);
    else inRest.add(field);
    hasRest = true;
  }
  for (const { name } of besideColumns(rows, table, compiler)) {
    columns.add(name);
    for (const further of furtherColumns(name, table, compiler)) columns.add(further.name);
  }
  for (const { id, name } of [...rows.columns, ...(rows.unlisted ?? [])]) {
    if (!compiler.isRead(id)) continue;
    if (name === '_id' || (name === '_node' && compiler.context.storesNode?.(table.name))) columns.add(name);
    if (OWN_NAMES.includes(name)) continue;
    const column = declared.get(name);
    if (column === undefined) {
      if (mayHoldBeside(table, name)) inRest.add(name);
      continue;
    }
    const stored = storedColumns.get(name);
    if (stored !== undefined) columns.add(name);
    if (storedType(column) === 'any')
      for (const further of furtherColumns(name, table, compiler)) columns.add(further.name);
    if (isInRest(column, table, compiler)) inRest.add(name);
  }
  const keys = typeof need === 'string' ? [...inRest] : [...inRest, ...need];
  const restFields = new Set(keys.filter((key) => leafTypes.shapeOf(key) !== undefined));
  return { columns, hasRest: hasRest || inRest.size > 0, ...(need === 'all' ? {} : { restFields }) };
}

/**
 * Columns of the table alone, which a scan of many tables has in its overflow, as far as they are read. Those that are not
 * stored have their values in the overflow of the table.
 */
function besideColumns({ columns, overflow }: Rows, table: TableSource, compiler: PlanCompiler): KnownColumn[] {
  const need = overflow ? compiler.reading.overflowNeed(overflow) : 'none';
  if (need === 'none') return [];
  const stored = compiler.storedColumns(table.name);
  const isNeeded = (name: string) => (need === 'all' || need.has(name)) && stored.has(name);
  return columnsBeside(columns, table).filter(({ name }) => isNeeded(name));
}

/** Columns of a table that are not among those of the rows of its scan. */
export function columnsBeside(columns: readonly Column[], table: TableSource): readonly KnownColumn[] {
  const listed = new Set(columns.map(({ name }) => name));
  return table.columns.filter(({ name }) => !listed.has(name));
}

/** One object of the values of columns that have no column in the rows, and of the fields of the table without a column. */
function overflowSql({ rows }: Scan, table: TableSource, compiler: PlanCompiler): string {
  const beside = besideColumns(rows, table, compiler);
  if (beside.length === 0) return table.isOpen ? OVERFLOW.text : 'null::json';
  const stored = compiler.storedColumns(table.name);
  const members = beside.flatMap((column) => {
    const values = [
      { text: compiler.stored(column.name), type: storedTypeOf(column, stored), isPlain: true as const },
      ...furtherValues(column.name, table, compiler),
    ];
    const key = compiler.bind(`${JSON.stringify(column.name)}:`).text;
    return values.map((value) => `${key} || (${toAny(value, compiler.writer()).text})::varchar`);
  });
  return `('{' || concat_ws(',', ${[...(table.isOpen ? [REST_MEMBERS] : []), ...members].join(', ')}) || '}')::json`;
}

/** Doubles of a column that has other values, too, may be longs. */
function storedTypeOf({ name, type, isNumber }: KnownColumn, storedColumns: ReadonlyMap<string, ColumnType>): SqlType {
  const stored = storedColumns.get(name) ?? 'any';
  return stored === 'double' && (isNumber || type === 'any') ? 'number' : stored;
}

/** The text of the overflow of a table between its braces; null where it has no member. */
const REST_TEXT = "trim(_rest::varchar, chr(9) || chr(10) || chr(13) || ' ')";
const REST_MEMBERS = `nullif(substr(${REST_TEXT}, 2, length(${REST_TEXT}) - 2), '')`;

const columnIndexes = new WeakMap<TableSource, ReadonlyMap<string, KnownColumn>>();

/** The columns of a table by their names: wide tables are read column by column. */
function declaredIn(table: TableSource): ReadonlyMap<string, KnownColumn> {
  const known = columnIndexes.get(table) ?? new Map(table.columns.map((column) => [column.name, column]));
  columnIndexes.set(table, known);
  return known;
}

const OWN_NAMES: readonly string[] = ['_node', '_table', '_time', '_id'];

interface StoredIn {
  readonly table: TableSource;
  readonly planNode: Scan;
}

const storedType = ({ type, isNumber }: KnownColumn): SqlType => (isNumber ? 'number' : type);

function storedSql(column: Column, { table: source, planNode: node }: StoredIn, compiler: PlanCompiler) {
  const { name: table } = source;
  const { name } = column;
  const type = storedType(column);
  if (name === '_node') return compiler.context.storesNode?.(table) ? '_node' : compiler.bind(node.node).text;
  if (name === '_table') return compiler.bind(table).text;
  if (name === '_time') return 'make_timestamptz(epoch_us(_time))';
  if (name === '_id') return '_id';
  const declared = declaredIn(source).get(name);
  // A column of another table may be in the overflow of this one.
  if (!declared && mayHoldBeside(source, name))
    return compiler.converted(overflowKey(OVERFLOW, name, compiler.writer()), type);
  if (!declared) return nullOf(type, compiler);
  return compiler.converted(storedValue(declared, source, compiler), type);
}

/** A column of type any may have further columns, and values in the overflow; all others hold values of their declared type. */
function storedValue(declared: KnownColumn, table: TableSource, compiler: PlanCompiler): Sql {
  const { name } = declared;
  const type = storedType(declared);
  const stored = compiler.storedColumns(table.name).get(name);
  if (type === 'any') return mixedValue(storedParts(declared, table, compiler), compiler.writer());
  if (stored === undefined) return asType(overflowKey(OVERFLOW, name, compiler.writer()), type, compiler.writer());
  const column: Sql = { text: compiler.stored(name), type: stored, isPlain: true };
  if (stored === type) return column;
  return type === 'number' ? { ...column, type } : asType(column, type, compiler.writer());
}

/** How a table stores the values of a column of type any. */
function storedParts(declared: KnownColumn, table: TableSource, compiler: PlanCompiler): MixedParts {
  const { name } = declared;
  const stored = compiler.storedColumns(table.name);
  const first: Sql[] = stored.has(name)
    ? [{ text: compiler.stored(name), type: storedTypeOf(declared, stored), isPlain: true }]
    : [];
  const typed = [...first, ...furtherValues(name, table, compiler)];
  const parts = Object.fromEntries(typed.map((value) => [partOf(value.type), value]));
  const writer = compiler.writer();
  const own = parts.other ? [toAny(parts.other, writer).text] : [];
  if (!isInRest(declared, table, compiler)) {
    return parts.other ? { ...parts, other: { text: firstOf(own), type: 'any' } } : parts;
  }
  const rest = overflowKey(OVERFLOW, name, writer);
  if (typed.length === 0) return { other: rest };
  const isElsewhere = typed.map(({ text }) => `${text} is null`).join(' and ');
  const beside = `case when ${isElsewhere} then ${rest.text} end`;
  return { ...parts, other: { text: firstOf([...own, beside]), type: 'any' } };
}

type PartTypes = ReadonlyMap<PartName, SqlType>;

/** Each table has to be asked for the parts of its columns: those of many would take longer than they save. */
const MAX_TABLES_WITH_PARTS = 8;

const mixedOfScans = new WeakMap<PlanCompiler, Map<Scan, ReadonlyMap<ColumnId, PartTypes>>>();

/** The columns of a scan of which something is computed, and whose values of a type are in a column of some table. */
function mixedColumns(scan: Scan, compiler: PlanCompiler): ReadonlyMap<ColumnId, PartTypes> {
  const known = mixedOfScans.get(compiler) ?? new Map<Scan, ReadonlyMap<ColumnId, PartTypes>>();
  mixedOfScans.set(compiler, known);
  const found = known.get(scan) ?? findMixed(scan, compiler);
  known.set(scan, found);
  return found;
}

function findMixed({ tables, rows }: Scan, compiler: PlanCompiler): ReadonlyMap<ColumnId, PartTypes> {
  if (tables.length > MAX_TABLES_WITH_PARTS) return new Map();
  const columns = rows.columns.filter(
    (column) =>
      storedType(column) === 'any' && compiler.reading.isComputed(column.id) && !OWN_NAMES.includes(column.name),
  );
  return new Map(
    columns.flatMap((column) => {
      const types = partTypesOf(tables.map((table) => partsOf(column, table, compiler)));
      return types ? [[column.id, types]] : [];
    }),
  );
}

/** Undefined where no type has a column. */
function partTypesOf(tables: readonly MixedParts[]): PartTypes | undefined {
  const types = new Map<PartName, SqlType>();
  for (const part of PART_NAMES) {
    const found = new Set(tables.flatMap((parts) => parts[part]?.type ?? []));
    const [only] = found;
    if (only !== undefined) types.set(part, found.size === 1 && only !== 'double' ? only : 'number');
  }
  return types.size === 0 || (types.size === 1 && types.has('other')) ? undefined : types;
}

/** A column of a scan as one of its tables stores it. */
function partsOf({ name }: Column, table: TableSource, compiler: PlanCompiler): MixedParts {
  const declared = declaredIn(table).get(name);
  if (!declared) {
    return mayHoldBeside(table, name) ? { other: overflowKey(OVERFLOW, name, compiler.writer()) } : {};
  }
  if (storedType(declared) === 'any') return storedParts(declared, table, compiler);
  const value = storedValue(declared, table, compiler);
  const part = partOf(value.type);
  return { [part]: part === 'other' ? toAny(value, compiler.writer()) : value };
}

/** The types of a value inside of an overflow, over all tables of a scan; undefined where it is read of the overflow. */
export function leafPartTypes(
  { tables }: Scan,
  path: readonly string[],
  compiler: PlanCompiler,
): PartTypes | undefined {
  const [name = ''] = path;
  if (tables.length > MAX_TABLES_WITH_PARTS || tables.some((table) => declaredIn(table).has(name))) return undefined;
  return partTypesOf(tables.map((table) => leafParts(path, table, compiler)));
}

/** A value inside of the overflow as a table stores it: in columns, or in `_rest`. */
function leafParts(path: readonly string[], table: TableSource, compiler: PlanCompiler): MixedParts {
  const [name = ''] = path;
  if (!mayHoldBeside(table, name)) return {};
  const pointer = path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const rest = `nullif(${OVERFLOW.text}->${compiler.writer().bind(pointer).text}, 'null')`;
  const leafTypes = compiler.leafTypes(table.name);
  const columns = leafTypes.columnsOf(path);
  const shape = leafTypes.shapeOf(name);
  if (!columns || shape === undefined) return { other: { text: rest, type: 'any' } };
  const values = columns.map(
    ({ name: column, type }): Sql => ({
      text: compiler.stored(column),
      type: type === 'double' ? 'number' : type,
      isPlain: true,
    }),
  );
  const beside = `case when _rest is not null and ${compiler.stored(shape)} is null then ${rest} end`;
  const unusual = values.flatMap(({ text, type }) => (type === 'any' ? [text] : []));
  const parts = values.filter(({ type }) => type !== 'any').map((value) => [partOf(value.type), value]);
  return { ...Object.fromEntries(parts), other: { text: firstOf([...unusual, beside]), type: 'any' } };
}

/** The same parts for every table. */
const alikeParts = (column: Column, types: PartTypes, table: TableSource, compiler: PlanCompiler): MixedParts =>
  withTypes(partsOf(column, table, compiler), types, compiler);

function withTypes(own: MixedParts, types: PartTypes, compiler: PlanCompiler): MixedParts {
  return Object.fromEntries(
    types.entries().map(([part, type]) => {
      const value = own[part];
      if (!value) return [part, { text: nullOf(type, compiler), type, isPlain: true }];
      return [
        part,
        value.type === 'long' && type === 'number'
          ? { ...value, text: `(${value.text})::double`, type }
          : { ...value, type },
      ];
    }),
  );
}

const furtherColumns = (name: string, table: TableSource, compiler: PlanCompiler): FurtherTypes['columns'] =>
  compiler.furtherTypes(table.name).get(name)?.columns ?? [];

/** All numbers of a field are in one column. */
const furtherValues = (name: string, table: TableSource, compiler: PlanCompiler): Sql[] =>
  furtherColumns(name, table, compiler).map((column) => ({
    text: compiler.stored(column.name),
    type: column.type === 'double' ? 'number' : column.type,
    isPlain: true,
  }));

/** Whether values of a declared column may be in the overflow. */
function isInRest(declared: KnownColumn, { name: table }: TableSource, compiler: PlanCompiler): boolean {
  const { name } = declared;
  const known = compiler.furtherTypes(table).get(name);
  if (known) return known.isInRest && storedType(declared) === 'any';
  const stored = compiler.storedColumns(table).get(name);
  return stored === undefined || (stored !== storedType(declared) && storedType(declared) === 'any');
}
