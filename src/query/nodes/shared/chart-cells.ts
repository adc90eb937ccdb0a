// timechart and pivot (7.3): rows are aggregated per group and key, then every key becomes columns.

import type { Column, KnownColumn } from '#query/model/columns.ts';
import type { AggregateCall, Expression } from '#query/model/expression.ts';
import type { ColumnType, Value } from '#query/model/values.ts';
import type { Step } from '#query/nodes/node.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { PlanCompiler } from '#query/nodes/sql-compiler.ts';
import { toText } from '#query/sql/conversion.ts';
import type { Sql } from '#query/sql/scope.ts';
import { typed } from '#query/sql/writer.ts';
import { aggregate } from './groups.ts';
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
}

/** A node that makes columns from values. */
export type ChartNode = Extract<PlanNode, Chart>;

/** How the columns of a chart are made from values. */
export interface ChartFacts<N> {
  readonly keys: (node: N, compiler: PlanCompiler) => KeyedRows;
  /** How many keys get columns of their own; absent: all. */
  readonly limit: (node: N) => bigint | undefined;
  /** Whether the keys beyond the limit share a column. */
  readonly hasOther: (node: N) => boolean;
  /** Names that its columns must not have. */
  readonly names: (node: N) => readonly string[];
}

/** The text that a row's values give a column (7.3.1). */
function keyText(values: readonly Sql[], compiler: PlanCompiler): string {
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

/** Types of which every value has a text of its own. */
const OWN_TEXTS: readonly ColumnType[] = ['bool', 'long'];

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

interface ChartGroups {
  readonly by: readonly string[];
  readonly shown: readonly string[];
  /** Of the entries of `shown`. */
  readonly names: readonly string[];
  readonly rows: () => KeyedRows;
  /** Whether rows of keys without a column are left out. */
  readonly isLimited: boolean;
  /** A HAVING clause, or nothing. */
  readonly having: string;
  /** The rows of the input behind a group, see `compiler.behind`. */
  readonly behind: (count: string) => readonly string[];
}

/**
 * The cells of a group become one list, in which each column has its place: an aggregate with a filter for each of them would
 * be as simple, but the time that DuckDB takes to prepare so many grows with their third power (1,000: 10 s).
 */
export function chartCells(node: ChartNode, group: ChartGroups, compiler: PlanCompiler): string {
  if (node.rows.dynamic) throw new Error(`the columns of ${node.command} are not known yet`);
  const { by, shown } = group;
  const keys = [...new Set(node.columns.flatMap(({ cell }) => cell?.key ?? []))];
  const [place, gap] = [compiler.name('place'), compiler.name('gap')];
  const names = node.aggregates.map(() => compiler.name('cell'));
  const values = node.aggregates.map(
    ({ call }, index) => `${aggregate(call, call.type, node.input, compiler)} as ${names[index]}`,
  );
  const parts = { group, place, keys, values: [...values, ...compiler.behind(node, 'count(*)')] };
  const before = `coalesce(lag(${place}) over (partition by ${by.join(', ')} order by ${place}), 0)`;
  const spaced = `(select *, ${place} - ${before} - 1 as ${gap} from ${cellRows(node, parts, compiler)})`;
  const lists = names.map(
    (name, index) => `${placedCells(node, { name, index, place, gap, keys }, compiler)} as ${name}`,
  );
  const all = [...shown, ...lists, ...group.behind(`sum(${BEHIND})::bigint`)];
  const listed = `select ${all.join(', ')} from ${spaced} group by ${by.join(', ')}${group.having}`;
  const places = new Map(keys.map((key, index) => [key, index + 1]));
  const list = node.columns
    .filter(({ id }) => compiler.isRead(id))
    .map(({ id, cell }) => {
      const own = cell?.key === undefined ? undefined : places.get(cell.key);
      return `${names[cell?.aggregate ?? 0]}[${own ?? keys.length + 1}] as ${alias(id)}`;
    });
  const behind = compiler.isCounted(node) ? [BEHIND] : [];
  return `select ${[...group.names, ...list, ...behind].join(', ')} from (${listed})`;
}

interface PlacedCells {
  readonly name: string;
  /** Of the aggregate. */
  readonly index: number;
  readonly place: string;
  /** How many places before it no row has. */
  readonly gap: string;
  readonly keys: readonly string[];
}

/** The cells of one aggregate. Per group and key there is one value or none; none is null, or `fill`. */
function placedCells(
  { aggregates, columns, fill }: Chart,
  { name, index, place, gap, keys }: PlacedCells,
  compiler: PlanCompiler,
): string {
  const own: ColumnType = aggregates[index]?.call.type ?? 'any';
  const type = columns.find(({ cell }) => cell?.aggregate === index)?.type ?? own;
  const value = compiler.converted({ text: name, type: own }, type);
  const none = `[]::${typed(type)}[]`;
  const filled = fill === undefined ? '' : `, ${fillSql(fill, type, compiler)}`;
  const cell = `list_append(list_resize(${none}, ${gap}${filled}), ${value})`;
  const list = `flatten(list(${cell} order by ${place}) filter (${place} is not null))`;
  // Beyond the end of a list everything is null.
  return fill === undefined ? list : `list_resize(coalesce(${list}, ${none}), ${keys.length + 1}${filled})`;
}

interface CellParts {
  readonly group: ChartGroups;
  readonly place: string;
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** One row per group and key with the place of the key among the columns, null for those that have none. */
function cellRows(node: Chart, { group, place, keys, values }: CellParts, compiler: PlanCompiler): string {
  const { by, shown, isLimited } = group;
  const rows = group.rows();
  const hasOther = node.columns.some(({ cell }) => cell && cell.key === undefined);
  const [key, known, at] = [compiler.name('key'), compiler.name('known'), compiler.name('at')];
  const list = `from_json(${compiler.bind(keys).text}, '["varchar"]')`;
  const table = `(select unnest(${list}) as ${known}, unnest(range(1, ${keys.length + 1})) as ${at})`;
  const withPlace = (from: string) => `${from} left join ${table} on ${key} = ${known}`;
  if (hasOther || isLimited) {
    const all = withPlace(`(select *, ${rows.key} as ${key} from ${rows.from})`);
    const kept = hasOther ? `coalesce(${at}, ${keys.length + 1})` : at;
    const from = `(select *, ${kept} as ${place} from ${all}${isLimited ? ` where ${at} is not null` : ''})`;
    return `(select ${[...shown, place, ...values].join(', ')} from ${from} group by ${[...by, place].join(', ')})`;
  }
  const given = rows.isTelling ? rows.values.map(({ text }) => text) : [key];
  const source = rows.isTelling ? rows.from : `(select *, ${rows.key} as ${key} from ${rows.from})`;
  const grouped = `(select ${[...shown, ...given, ...values].join(', ')} from ${source} group by ${[...by, ...given].join(', ')})`;
  const keyed = rows.isTelling ? `(select *, ${rows.key} as ${key} from ${grouped})` : grouped;
  return `(select *, ${at} as ${place} from ${withPlace(keyed)})`;
}

export const fillSql = (fill: Value | undefined, type: ColumnType, compiler: PlanCompiler): string =>
  compiler.converted(compiler.bind(fill ?? null), type);
