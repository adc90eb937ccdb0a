// timechart and pivot (7.3): rows are aggregated per group and key, then every key becomes columns.

import type { Column, KnownColumn } from '#query/model/columns.ts';
import type { AggregateCall, ColumnId, Expression } from '#query/model/expression.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { PlanNode, Step } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { toText } from '#query/sql/conversion.ts';
import { MIXED } from '#query/sql/expressions.ts';
import type { Sql, SqlType } from '#query/sql/scope.ts';
import { aggregate, type GroupKey, groupKey } from './groups.ts';
import { alias, BEHIND } from './sql-text.ts';

/** One aggregate of timechart or pivot: `output` is its alias in column names. */
interface CellAggregate {
  readonly call: AggregateCall;
  readonly output: string;
}

/** The content of a column that is made from values: an aggregate over the rows of one key, or of all other keys. */
interface Cell {
  /** The text of the values that the column is named by; absent: OTHER. */
  readonly key?: string;
  /** Its position among the aggregates. */
  readonly aggregate: number;
}

/** A column that a chart makes from values. */
export interface ChartColumn extends KnownColumn {
  readonly cell: Cell;
}

export interface CellColumn extends Column {
  /** Absent without `by`: there is one column per aggregate, in their order. */
  readonly cell?: Cell;
}

export interface Chart extends Step {
  readonly aggregates: readonly CellAggregate[];
  /** Without values to make columns of, one per aggregate; else those made from values, none while they are not known. */
  readonly columns: readonly CellColumn[];
  readonly fill?: Value;
  /** The columns as the values gave them: by these a run knows the groups that it has kept. */
  readonly found?: readonly ChartColumn[];
}

/** A node that makes columns from values. */
export interface ChartPlanNode extends Chart, Step {}

/** The columns of a chart as the values gave them, by which a run knows its groups. */
export const foundColumnsOf = (node: PlanNode): readonly ChartColumn[] | undefined =>
  'found' in node ? (node as ChartPlanNode).found : undefined;

/** How the columns of a chart are made from values. */
export interface ChartFacts<N> {
  readonly keys: (node: N, compiler: PlanCompiler) => KeyedRows;
  readonly groups: (node: N, compiler: PlanCompiler) => ChartGroups;
  /** How many keys get columns of their own; absent: all. */
  readonly limit: (node: N) => bigint | undefined;
  /** Whether the keys beyond the limit share a column. */
  readonly hasOther: (node: N) => boolean;
  /** Whether its rows are the buckets of time that have records, in order, each with the cells of its keys alone. */
  readonly hasTimeRows?: (node: N) => boolean;
  /** The name of a column where there are several aggregates. */
  readonly columnName: (value: string, alias: string) => string;
  /** Names that its columns must not have. */
  readonly names: (node: N) => readonly string[];
}

/** The text that a row's values give a column (7.3.1). */
export function keyText(values: readonly Sql[], compiler: PlanCompiler): string {
  const writer = compiler.writer();
  const texts = values.map((value) => {
    // These have no empty text, and no value but null has the text of null.
    if (OWN_TEXTS.includes(value.type)) return `coalesce(${toText(value, writer).text}, 'null')`;
    return writer.once(
      [toText(value, writer)],
      (t) => `case when ${t} is null then 'null' when ${t} = '' then 'empty' else ${t} end`,
    );
  });
  return texts.join(` || '_' || `);
}

/** Aggregates that may end a run. */
const ENDING: readonly string[] = ['values', 'array'];

export const mayEndRun = ({ aggregates }: Chart): boolean =>
  aggregates.some(({ call }) => ENDING.includes(call.called.name));

/** Types of which every value has a text of its own. */
const OWN_TEXTS: readonly SqlType[] = ['bool', 'long'];

/** Rows with the values that make up their keys. */
export interface KeyedRows {
  readonly from: string;
  readonly values: readonly Sql[];
  /** SQL of the key by the names of the values. */
  readonly key: string;
  /** The value tells the key and the key the value: rows may be grouped by either. */
  readonly isTelling: boolean;
}

export function keyedRows(from: string, cols: readonly Expression[], compiler: PlanCompiler): KeyedRows {
  const values = cols.map((col) => ({ name: compiler.name('value'), sql: compiler.expression(col) }));
  const named = values.map(({ name, sql }): Sql => ({ text: name, type: sql.type, isPlain: true }));
  const list = ['*', ...values.map(({ name, sql }) => `${sql.text} as ${name}`)].join(', ');
  return {
    from: `(select ${list} from ${from})`,
    values: named,
    key: keyText(named, compiler),
    isTelling: named.length === 1 && named.every(({ type }) => OWN_TEXTS.includes(type)),
  };
}

/** A column by which a chart groups rows. */
export interface GroupColumn extends GroupKey {
  readonly id: ColumnId;
  readonly type: SqlType;
}

export interface ChartGroups {
  readonly columns: readonly GroupColumn[];
  readonly rows: () => KeyedRows;
  /** Whether rows of keys without a column are left out. */
  readonly isLimited: boolean;
  /** Whether the group whose first column is null is left out. */
  readonly dropsNull: boolean;
  /** The rows of the input behind a group, see `compiler.behind`. */
  readonly behind: (count: string) => readonly string[];
}

/** Of a table of kept groups and of groups that are made on the way; no alias of a column. */
export const groupName = (index: number): string => `g${index}`;
export const valueName = (index: number): string => `v${index}`;
/** The key of a kept group. */
export const KEPT_KEY = 'kept_key';

/** Each aggregate of a chart, as an entry of the SELECT list that makes the groups. */
export const aggregateValues = ({ aggregates, input }: Chart, compiler: PlanCompiler): string[] =>
  aggregates.map(({ call }, index) => `${aggregate(call, call.type, input, compiler)} as ${valueName(index)}`);

/**
 * One row per group and key becomes one row per group, in which each column has the cell of its key. By PIVOT: an aggregate
 * with a filter for each column would be as simple, but the time that DuckDB takes to prepare so many grows with their third
 * power (1,000: 10 s).
 */
export function chartCells(node: ChartPlanNode, group: ChartGroups, compiler: PlanCompiler): string {
  if (node.rows.dynamic) throw new Error(`the columns of ${node.command} are not known yet`);
  const keys = [...new Set(node.columns.flatMap(({ cell }) => cell?.key ?? []))];
  const indexOfKey = new Map(keys.map((key, index) => [key, index + 1]));
  const indexOf = (cell: Cell | undefined) =>
    (cell?.key === undefined ? undefined : indexOfKey.get(cell.key)) ?? keys.length + 1;
  const read = node.columns.filter(({ id }) => compiler.isRead(id));
  // A pivot without a column is no SQL.
  const used = [...new Set(read.length > 0 ? read.map(({ cell }) => indexOf(cell)) : [1])];
  const names = [...group.columns.map(({ id }) => alias(id)), ...(compiler.isCounted(node) ? [BEHIND] : [])];
  const cellNumber = compiler.name('place');
  const input = cellRows(node, { group, cellNumber, keys, names, used }, compiler);
  const using = node.aggregates.map((_, index) => `any_value(${valueName(index)}) as a${index}`).join(', ');
  const on = `${cellNumber} in (${used.join(', ')})`;
  const list = read.map(({ cell, id }) => `"${indexOf(cell)}_a${cell?.aggregate ?? 0}" as ${alias(id)}`);
  const pivoted = `(pivot (${input}) on ${on} using ${using} group by ${names.join(', ')})`;
  return `select ${[...names, ...list].join(', ')} from ${pivoted}`;
}

/** Rows of a group by its ids, number of the cell, and values. Per group and cell there is one row or none; with `fill` there is one. */
function cellRows(node: ChartPlanNode, placed: Cells, compiler: PlanCompiler): string {
  const { group, cellNumber, names, used } = placed;
  const kept = compiler.keptGroups(node);
  const groups = kept === undefined ? madeGroups(node, placed, compiler) : placedGroups(kept, placed, compiler);
  const types = node.aggregates.map(({ call }, index) => ({
    own: call.type,
    type: node.columns.find(({ cell }) => cell?.aggregate === index)?.type ?? call.type,
  }));
  const values = types.map(({ own, type }, index) => {
    const name = valueName(index);
    return `${compiler.converted({ text: name, type: own }, type)} as ${name}`;
  });
  const list = [...groupColumns(group, compiler), cellNumber, ...values, ...totalBehind(group, compiler)];
  const rows = `select ${list.join(', ')} from ${groups}`;
  const { fill } = node;
  if (fill === undefined) return rows;
  const cells = compiler.name('cells');
  const all = compiler.name('groups');
  const own = compiler.name('own');
  const filled = types.map(({ type }, index) => {
    const name = valueName(index);
    return `case when ${cells}.${cellNumber} is null then ${fillSql(fill, type, compiler)} else ${cells}.${name} end as ${name}`;
  });
  const shown = [...names.map((name) => `${all}.${name} as ${name}`), `${own} as ${cellNumber}`, ...filled];
  const same = names.map((name) => `${cells}.${name} is not distinct from ${all}.${name}`);
  return `with ${cells} as materialized (${rows}) select ${shown.join(', ')}
    from (select distinct ${names.join(', ')} from ${cells}) ${all}
    cross join (select unnest([${used.join(', ')}]::bigint[]) as ${own})
    left join ${cells} on ${[...same, `${cells}.${cellNumber} = ${own}`].join(' and ')}`;
}

interface Cells extends Placed {
  /** Of the columns of a group in the rows, also of the count of its input where that is told. */
  readonly names: readonly string[];
  /** Places that are read. */
  readonly used: readonly number[];
}

/** The columns of a group by their ids: of values that are one group the least text, as in every group. */
function groupColumns(group: ChartGroups, compiler: PlanCompiler): string[] {
  const keys = keysOf(group, compiler);
  const by = keys.flatMap((key) => key.by).join(', ');
  return group.columns.map(({ id, type }, index) => {
    const name = groupName(index);
    const shown = MIXED.includes(type) ? `min(${name}) over (partition by ${by})::json` : name;
    return `${shown} as ${alias(id)}`;
  });
}

const keysOf = ({ columns }: ChartGroups, compiler: PlanCompiler): GroupKey[] =>
  columns.map(({ type }, index) => groupKey({ text: groupName(index), type, isPlain: true }, compiler));

function totalBehind(group: ChartGroups, compiler: PlanCompiler): readonly string[] {
  const by = keysOf(group, compiler).flatMap((key) => key.by);
  return group.behind(`(sum(${BEHIND}) over (partition by ${by.join(', ')}))::bigint`);
}

interface Placed {
  readonly group: ChartGroups;
  readonly cellNumber: string;
  readonly keys: readonly string[];
}

/** Groups of a table of the run, with the number of the key of each among the columns. */
function placedGroups(table: string, { group, cellNumber, keys }: Placed, compiler: PlanCompiler): string {
  const { cellNumbers, known, at } = knownKeys(keys, compiler);
  const where = group.dropsNull ? ` where ${groupName(0)} is not null` : '';
  return `(select *, ${at} as ${cellNumber} from (select * from ${table}${where}) left join ${cellNumbers} on ${KEPT_KEY} = ${known})`;
}

function knownKeys(keys: readonly string[], compiler: PlanCompiler) {
  const known = compiler.name('known');
  const at = compiler.name('at');
  const list = `from_json(${compiler.bind(keys).text}, '["varchar"]')`;
  return {
    known,
    at,
    cellNumbers: `(select unnest(${list}) as ${known}, unnest(range(1, ${keys.length + 1})) as ${at})`,
  };
}

/** The same of groups that are made on the way; null is the number of a key that has none. */
function madeGroups(node: ChartPlanNode, { group, cellNumber, keys }: Placed, compiler: PlanCompiler): string {
  const { columns, isLimited, dropsNull } = group;
  const rows = group.rows();
  const hasOther = node.columns.some(({ cell }) => cell && cell.key === undefined);
  const key = compiler.name('key');
  const { cellNumbers, known, at } = knownKeys(keys, compiler);
  const shown = columns.map((column, index) => `${column.shown} as ${groupName(index)}`);
  const by = columns.flatMap((column) => column.by);
  const values = [
    ...aggregateValues(node, compiler),
    ...compiler.behind(node, compiler.condensed.rowCount(node.input)),
  ];
  const having = dropsNull ? ` having count(${by[0]}) > 0` : '';
  const grouped = (from: string, given: string) =>
    `(select ${[...shown, given, ...values].join(', ')} from ${from} group by ${[...by, given].join(', ')}${having})`;
  const keyed = `(select *, ${rows.key} as ${key} from ${rows.from})`;
  if (!hasOther && !isLimited) {
    return `(select *, ${at} as ${cellNumber} from ${grouped(keyed, key)} left join ${cellNumbers} on ${key} = ${known})`;
  }
  const all = `${keyed} left join ${cellNumbers} on ${key} = ${known}`;
  const own = hasOther ? `coalesce(${at}, ${keys.length + 1})` : at;
  const from = `(select *, ${own} as ${cellNumber} from ${all}${isLimited ? ` where ${at} is not null` : ''})`;
  return grouped(from, cellNumber);
}

export const fillSql = (fill: Value | undefined, type: ColumnType, compiler: PlanCompiler): string =>
  compiler.converted(compiler.bind(fill ?? null), type);
