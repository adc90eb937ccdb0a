// Nodes that order rows or keep some of them: sort, limit, dedup.

import { inputByRow, isVolatileStep } from '#query/analysis/row-by-row.ts';
import type { ColumnId } from '#query/model/expression.ts';
import { MIXED } from '#query/sql/expressions.ts';
import type { Dedup, Limit, PlanNode, Sort, TableScan } from './plan.ts';
import { alias, type Cut, cut, type PlanCompiler } from './sql-compiler.ts';

/** Only what is sorted by becomes columns; rows are put in order where it counts. */
export function sortSql({ input, by, keys, limit, rows }: Sort, compiler: PlanCompiler): string {
  const from = compiler.node(input);
  const made = [...by, ...keys].filter(({ column }) => compiler.isRead(column.id) || limit !== undefined);
  const computed = new Map(made.map(({ column, value }) => [column.id, compiler.expression(value, column.type).text]));
  const ids = [...new Set([...compiler.outputs(rows), ...computed.keys()])];
  const sorted = compiler.select(ids, { from: `(${from})`, computed });
  if (limit === undefined) return sorted;
  const order = [
    ...keys.map(({ column, descending }) => compiler.sorted(compiler.column(column.id), { descending })),
    ...(compiler.order(input.rows) === undefined ? [] : [compiler.order(input.rows)]),
  ].join(', ');
  if (by.length === 0) return `select * from (${sorted}) order by ${order} ${cut(limit)}`;
  const partition = by.flatMap(({ column }) => compiler.keys(compiler.column(column.id))).join(', ');
  return `select * from (${sorted}) qualify row_number() over (partition by ${partition} order by ${order}) <= ${limit}`;
}

/** Rows are cut as far down as they stay the same: what is computed for each is then computed for few (15.3). */
export function limitSql(node: Limit, compiler: PlanCompiler): string {
  const { input, offset, count } = node;
  const within = compiler.takenCut(node) ?? { offset: 0n, count };
  const skipped = lesser(within.offset, count);
  cutRows(input, { offset: offset + skipped, count: lesser(within.count, count - skipped) }, compiler);
  return compiler.node(input);
}

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Says which rows of a node are handed on, before it is compiled. */
export function cutRows(node: PlanNode, taken: Cut, compiler: PlanCompiler): void {
  compiler.cutBelow(lowest(node, compiler), taken);
}

function lowest(node: PlanNode, compiler: PlanCompiler): PlanNode {
  const isMovable = node.preservesCount && !compiler.around.stages?.has(node) && !isVolatileStep(node);
  const input = isMovable ? inputByRow(node) : undefined;
  return input ? lowest(input, compiler) : node;
}

export function dedupSql(node: Dedup, compiler: PlanCompiler): string {
  const { input, keys, count, rows } = node;
  const plain = count === 1n ? plainKeys(node, compiler) : undefined;
  if (plain) return distinctSql(node, plain, compiler);
  const from = compiler.node(input);
  const newest = count === 1n ? firstByTime(node, from, compiler) : undefined;
  if (newest !== undefined) return newest;
  const values = keys.map((key) => ({ name: compiler.name('key'), sql: compiler.expression(key) }));
  const list = ['*', ...values.map(({ name, sql }) => `${sql.text} as ${name}`)].join(', ');
  const partition = values
    .flatMap(({ name, sql }) => compiler.keys({ text: name, type: sql.type, isPlain: true }))
    .join(', ');
  const order = compiler.order(input.rows);
  const over = `partition by ${partition}${order === undefined ? '' : ` order by ${order}`}`;
  const ids = compiler.outputs(rows).map(alias).join(', ') || '1 as nothing';
  return `select ${ids} from (select ${list} from (${from})) qualify row_number() over (${over}) <= ${count}`;
}

/** Rows that a table hands on in its own order are the same when they are read again. */
const READ_AGAIN: readonly PlanNode['kind'][] = ['project', 'pass', 'block', 'filter'];

function scanBelow(node: PlanNode, compiler: PlanCompiler): TableScan | undefined {
  if (compiler.around.stages?.has(node)) return undefined;
  if (node.kind === 'table') return node.limit === undefined && node.offset === 0n ? node : undefined;
  if (!READ_AGAIN.includes(node.kind) || !('input' in node) || !node.input) return undefined;
  if (isVolatileStep(node) || (node.kind === 'project' && node.assigned.length > 0)) return undefined;
  return scanBelow(node.input, compiler);
}

/** So many columns are carried along in one pass rather than read again. */
const MAX_CARRIED = 6;

/**
 * Of rows in the order of one table time and number tell the first ones, and nothing is sorted. The number of a row is one
 * of its table alone. Few columns are taken with them at once (by a form that takes null for a value, as `arg_max` does
 * not); for many the rows are read again, so that much less is carried along.
 */
function firstByTime({ input, keys, rows }: Dedup, from: string, compiler: PlanCompiler): string | undefined {
  const scan = scanBelow(input, compiler);
  const { order } = input.rows;
  if (scan?.tables.length !== 1 || order === undefined || order !== scan.rows.order) return undefined;
  const column = (name: string) => scan.rows.columns.find((one) => one.name === name)?.id;
  const [time, number] = [column('_time'), column('_id')];
  if (time === undefined || number === undefined) return undefined;
  const place = `epoch_us(${alias(time)})::hugeint * 9223372036854775808 + ${alias(number)}`;
  const groups = keys.map((key) => compiler.group(compiler.expression(key)));
  const [firsts, first] = [compiler.name('firsts'), compiler.name('first')];
  const most = scan.direction === 'desc' ? 'max' : 'min';
  const ids = compiler.outputs(rows);
  if (ids.length <= MAX_CARRIED) {
    const list = ids.map((id) => `arg_${most}_null(${alias(id)}, ${place}) as ${alias(id)}`);
    return `select ${list.join(', ') || '1 as nothing'} from (${from}) group by ${groups.join(', ')}`;
  }
  const found = `select ${most}(${place}) as ${first} from (${compiler.node(input)}) group by ${groups.join(', ')}`;
  return compiler.select(rows, { from: `(${from}) semi join (${found}) ${firsts} on ${place} = ${firsts}.${first}` });
}

/** Columns that only the order of rows was read for are null from here on. */
function distinctSql({ input, rows }: Dedup, keys: readonly ColumnId[], compiler: PlanCompiler): string {
  const distinct = `select distinct ${keys.map((id) => alias(id)).join(', ')} from (${compiler.node(input)})`;
  const others = compiler.outputs(rows).filter((id) => !keys.includes(id));
  if (others.length === 0) return distinct;
  const computed = others.map(
    (id) => [id, compiler.converted({ text: 'null', type: 'null' }, compiler.typeOf(id))] as const,
  );
  return compiler.select(rows, { from: `(${distinct})`, computed: new Map(computed) });
}

/** Where nobody reads more than the keys, and equal keys look the same, it does not matter which rows are kept. */
function plainKeys(node: Dedup, compiler: PlanCompiler): ColumnId[] | undefined {
  const ids = node.keys.flatMap((key) =>
    key.kind === 'field' && key.source?.kind === 'column' && !MIXED.includes(key.type) ? [key.source.id] : [],
  );
  if (ids.length < node.keys.length) return undefined;
  return compiler.wanted(node).every((id) => ids.includes(id)) ? [...new Set(ids)] : undefined;
}
