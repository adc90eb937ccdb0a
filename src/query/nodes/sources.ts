// Nodes that make rows: stored tables, values of the text, and what the service tells about itself.

import type { Scan } from '#query/analysis/needs.ts';
import type { ColumnType, MapValue } from '#query/model/values.ts';
import { overflowKey } from '#query/sql/compiler.ts';
import { asType } from '#query/sql/conversion.ts';
import { storedField } from '#query/sql/expressions.ts';
import type { Sql } from '#query/sql/scope.ts';
import type { Column, FulltextScan, JsonRows, SystemRows, TableScan, TableSource } from './plan.ts';
import { cut, type PlanCompiler } from './sql-compiler.ts';
import { textFilterSql } from './text-conditions.ts';

const OVERFLOW: Sql = { text: '_rest', type: 'map', isPlain: true };

export function tableSql(node: TableScan, compiler: PlanCompiler): string {
  return cutScan(node, scanSql(node, compiler), compiler);
}

export function fulltextSql(node: FulltextScan, compiler: PlanCompiler): string {
  return cutScan(node, textFilterSql(node, scanSql(node, compiler), compiler), compiler);
}

function cutScan({ rows, offset, limit }: Scan, text: string, compiler: PlanCompiler): string {
  if (limit === undefined && offset === 0n) return text;
  const order = compiler.order(rows);
  return `select * from (${text}) ${order === undefined ? '' : `order by ${order} `}${cut(limit, offset)}`;
}

function scanSql(node: Scan, compiler: PlanCompiler): string {
  const { tables, rows } = node;
  if (tables.length > 0) return tables.map((table) => oneTable(node, table, compiler)).join(' union all ');
  const computed = new Map(compiler.outputs(rows).map((id) => [id, nullOf(compiler.typeOf(id), compiler)]));
  return compiler.select(rows, { from: '(select 1)', computed, tail: 'where false' });
}

const nullOf = (type: ColumnType, compiler: PlanCompiler): string =>
  compiler.converted({ text: 'null', type: 'null' }, type);

function oneTable(node: Scan, table: TableSource, compiler: PlanCompiler): string {
  const { rows, range } = node;
  const name = compiler.source({ kind: 'table', scan: node, table });
  const computed = new Map(
    rows.columns
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
  return compiler.select(rows, { from: name, computed, ...tail });
}

interface StoredIn {
  readonly table: TableSource;
  readonly node: Scan;
}

function storedSql(
  { name, type }: Column,
  { table: { name: table, columns }, node }: StoredIn,
  compiler: PlanCompiler,
) {
  if (name === '_node' && node.node !== undefined) return compiler.bind(node.node).text;
  if (name === '_table') return compiler.bind(table).text;
  if (name === '_time') return 'make_timestamptz(epoch_us(_time))';
  if (name === '_id') return '_id';
  const declared = columns.find((column) => column.name === name);
  if (!declared) return nullOf(type, compiler);
  return compiler.converted(storedValue(declared.name, declared.type, table, compiler), type);
}

/** A column of type any may have its value in the overflow; all others hold what they declare. */
function storedValue(name: string, type: ColumnType, table: string, compiler: PlanCompiler): Sql {
  const stored = compiler.around.storedColumns(table).get(name);
  const scope = compiler.scope();
  if (stored === undefined) return asType(overflowKey(OVERFLOW, name, compiler.writer()), type, compiler.writer());
  const column: Sql = { text: compiler.stored(name), type: stored, isPlain: true };
  if (stored === type) return column;
  return type === 'any' ? storedField(column, OVERFLOW, name, scope) : asType(column, type, compiler.writer());
}

export const jsonSql = (node: JsonRows, compiler: PlanCompiler): string => givenSql(node, node.values, compiler);

export const systemSql = (node: SystemRows, compiler: PlanCompiler): string =>
  givenSql(node, compiler.around.systemRows(node.object, node.account), compiler);

/** All values are one bound list. */
function givenSql(node: JsonRows | SystemRows, values: readonly MapValue[], compiler: PlanCompiler): string {
  const { columns } = node.rows;
  const [row, position] = [compiler.name('row'), compiler.name('position')];
  const list = compiler.bind([...values]).text;
  const writer = compiler.writer();
  const computed = new Map(
    columns.map(({ id, name, type }) => {
      const value = overflowKey({ text: row, type: 'map', isPlain: true }, name, writer);
      return [id, compiler.converted(asType(value, type, writer), type)] as const;
    }),
  );
  if (node.kind === 'json') computed.set(node.sequence, position);
  const from = `(select unnest(${list}->'$[*]') as ${row}, unnest(range(${values.length})) as ${position})`;
  return compiler.select(node.rows, { from, computed });
}
