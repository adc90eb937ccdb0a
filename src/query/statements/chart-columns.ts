// The columns that a timechart or a pivot makes from values (7.3.1): read by a statement of their own before the rest of
// the query can be planned.

import { QueryError } from '#query/model/query-error.ts';
import { typeOf, unified, type Value } from '#query/model/values.ts';
import { declarationOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import {
  aggregateValues,
  type ChartColumn,
  type ChartFacts,
  type ChartPlanNode,
  groupName,
  KEPT_KEY,
  type KeyedRows,
  keyText,
  mayEndRun,
} from '#query/plan-nodes/shared/chart-cells.ts';
import { aggregate } from '#query/plan-nodes/shared/groups.ts';
import { BEHIND } from '#query/plan-nodes/shared/sql-text.ts';
import { taggedValue } from '#query/rows/tagged-json.ts';
import { MIXED } from '#query/sql/expressions.ts';
import type { Sql, SqlType } from '#query/sql/scope.ts';
import { compareValues } from '#query/values/order.ts';

const MAX_CHART_COLUMNS = 10_000;

function factsOf(node: ChartPlanNode): ChartFacts<PlanNode> {
  const { chart } = declarationOf(node);
  if (!chart) throw new Error(`${node.command} makes no columns from values`);
  return chart;
}

/** Whether the groups of a chart tell its keys: of a limited one they are made by the keys that are left. */
export const keepsGroups = (node: ChartPlanNode): boolean =>
  factsOf(node).limit(node) === undefined && !mayEndRun(node);

/** Types of values by which rows are grouped in place of their keys, which are made of fewer then. */
const GROUPED: readonly SqlType[] = ['bool', 'long', 'string'];

/** The least of the values that make the key of a kept group. */
export const MIN_KEY = 'least';

/** A SELECT of all groups of a chart, each with its key, and by it one of the keys, as `chartKeysSql` gives them. */
export function chartGroupsSql(node: ChartPlanNode, compiler: PlanCompiler) {
  const { columns, rows } = factsOf(node).groups(node, compiler);
  const { from, values, key } = rows();
  const [value] = values;
  const isSimple = value !== undefined && values.length === 1 && !MIXED.includes(value.type);
  const shown = columns.map((column, index) => `${column.shown} as ${groupName(index)}`);
  const by = columns.flatMap((column) => column.by);
  const made = [...aggregateValues(node, compiler), `${compiler.condensed.rowCount(node.input)} as ${BEHIND}`];
  const grouped = (source: string, given: string, parts: readonly string[]) =>
    `select ${[...shown, ...parts, ...made].join(', ')} from ${source} group by ${[...by, given].join(', ')}`;
  const least: Sql = { text: MIN_KEY, type: value?.type ?? 'any', isPlain: true };
  if (isSimple && GROUPED.includes(value.type)) {
    const groups = grouped(from, value.text, [`${value.text} as ${MIN_KEY}`]);
    return { select: `select *, ${keyText([least], compiler)} as ${KEPT_KEY} from (${groups})`, least };
  }
  const own = compiler.name('key');
  const parts = isSimple
    ? [`min(${value.text}) as ${MIN_KEY}`]
    : [
        `arg_min(${listOf(values, compiler)}, ${positionOf(values, compiler)}) as shown`,
        `min(${positionOf(values, compiler)}) as place`,
      ];
  const groups = grouped(`(select *, ${key} as ${own} from ${from})`, own, [`${own} as ${KEPT_KEY}`, ...parts]);
  return { select: groups, ...(isSimple ? { least } : {}) };
}

/**
 * As `chartKeysSql`, out of kept groups. A last column says whether values of several texts share a key: null and the text
 * `null` are one column, and groups by value are two.
 */
export function keptKeysSql(node: ChartPlanNode, { table, least }: KeptGroups, compiler: PlanCompiler): string {
  const { dropsNull } = factsOf(node).groups(node, compiler);
  const from = `(select * from ${table}${dropsNull ? ` where ${groupName(0)} is not null` : ''})`;
  const keys = least
    ? `select *, ${listOf([least], compiler)} as shown, ${positionOf([least], compiler)} as place
        from (select ${KEPT_KEY} as key, min(${MIN_KEY}) as ${MIN_KEY}, ${isShared(least)} as is_shared from ${from} group by key)`
    : `select ${KEPT_KEY} as key, arg_min(shown, place) as shown, min(place) as place, false as is_shared from ${from} group by key`;
  const most = BigInt(MAX_CHART_COLUMNS) + 1n;
  return `select key, shown::varchar, count(*) over (), is_shared from (${keys}) order by place limit ${most}`;
}

const isShared = ({ type }: Sql): string =>
  GROUPED.includes(type)
    ? `(min(${MIN_KEY}) is distinct from max(${MIN_KEY}) or count(${MIN_KEY}) not in (0, count(*)))`
    : 'false';

/** A table of the groups of a chart. */
export interface KeptGroups {
  readonly table: string;
  /** Where one simple value makes the keys. */
  readonly least?: Sql;
}

/** Rows of key, values as JSON, and how many keys there are: those with a column of their own, and one more. */
export function chartKeysSql(node: ChartPlanNode, compiler: PlanCompiler): string {
  const { keys, limit: limitOf } = factsOf(node);
  const limit = limitOf(node);
  const [first] = node.aggregates;
  const isRanked = limit !== undefined && first !== undefined;
  const ranked = isRanked ? aggregate(first.call, first.call.type, node.input, compiler) : 'null';
  const by = isRanked
    ? `${compiler.sorted({ text: 'ranked', type: first.call.type, isPlain: true }, { descending: true })}, `
    : '';
  const most = limit ?? BigInt(MAX_CHART_COLUMNS);
  const grouped = keyGroups(keys(node, compiler), ranked, compiler);
  return `select key, shown::varchar, count(*) over () from (${grouped}) order by ${by}place limit ${most + 1n}`;
}

/** `key`, `ranked`, and of the values that make the key the least: as JSON in `shown`, to be sorted by in `place`. */
function keyGroups({ from, values, key, isTelling }: KeyedRows, ranked: string, compiler: PlanCompiler): string {
  const position = (one: readonly Sql[]) => positionOf(one, compiler);
  const list = (one: readonly Sql[]) => listOf(one, compiler);
  const [value] = values;
  if (!value || values.length > 1 || MIXED.includes(value.type)) {
    return `select key, arg_min(${list(values)}, ${position(values)}) as shown, min(${position(values)}) as place, ${ranked} as ranked
      from (select *, ${key} as key from ${from}) group by key`;
  }
  // What is made of one simple value is made of each once.
  const groups = isTelling
    ? `select *, ${key} as key from (select ${value.text}, ${ranked} as ranked from ${from} group by ${value.text})`
    : `select key, min(${value.text}) as ${value.text}, ${ranked} as ranked from (select *, ${key} as key from ${from}) group by key`;
  return `select key, ${list([value])} as shown, ${position([value])} as place, ranked from (${groups})`;
}

function positionOf(values: readonly Sql[], compiler: PlanCompiler): string {
  const sorted = values.flatMap((value) => [`(${value.text} is null)`, ...compiler.keys(value)]);
  return `{${sorted.map((text, index) => `k${index}: ${text}`).join(', ')}}`;
}

const listOf = (values: readonly Sql[], compiler: PlanCompiler): string =>
  `json_array(${values.map((value) => compiler.converted(value, 'any')).join(', ')})`;

export function chartColumnsOf(
  node: ChartPlanNode,
  found: readonly (readonly unknown[])[],
  zone: string,
): ChartColumn[] {
  const chart = factsOf(node);
  const most = chart.limit(node);
  const limit = most === undefined ? undefined : Number(most);
  const keys = found
    .slice(0, limit ?? found.length)
    .map(([key, shown]) => ({ key: String(key), values: taggedValue(String(shown)) }))
    .sort((one, other) => compareShown(one.values, other.values, zone));
  const hasOther = limit !== undefined && found.length > limit && chart.hasOther(node);
  const total = limit === undefined ? Number(found[0]?.[2] ?? 0) : keys.length + (hasOther ? 1 : 0);
  const n = total * node.aggregates.length;
  if (n > MAX_CHART_COLUMNS) throw new QueryError(22201, node, { n, max: MAX_CHART_COLUMNS });
  const taken = new Set(chart.names(node));
  const other = freeName('OTHER', new Set(keys.map(({ key }) => key)));
  const texts = [...keys.map(({ key }) => ({ key, text: key })), ...(hasOther ? [{ text: other }] : [])];
  return texts.flatMap(({ text, ...one }) =>
    node.aggregates.map(({ call, output }, index) => {
      const name = freeName(node.aggregates.length > 1 ? chart.columnName(text, output) : text, taken);
      taken.add(name);
      const type = node.fill === undefined ? call.type : unified(call.type, typeOf(node.fill));
      return { name, type, cell: { ...one, aggregate: index } };
    }),
  );
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}_`, taken) : name;
}

/** One value after the other, nulls last. */
function compareShown(one: Value, other: Value, zone: string): number {
  const [left, right] = [one, other].map((list) => (Array.isArray(list) ? list : []));
  for (const [index, value] of (left ?? []).entries()) {
    const against: Value = right?.[index] ?? null;
    const order = Number(value === null) - Number(against === null) || compareValues(value, against, zone);
    if (order !== 0) return order;
  }
  return 0;
}
