// The columns that a timechart or a pivot makes from values (7.3.1): read by a statement of their own before the rest of
// the query can be planned.

import { QueryError } from '#query/model/query-error.ts';
import { typeOf, unified, type Value } from '#query/model/values.ts';
import { declarationOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { ChartColumn, ChartFacts, ChartNode, KeyedRows } from '#query/nodes/shared/chart-cells.ts';
import { aggregate } from '#query/nodes/shared/groups.ts';
import type { PlanCompiler } from '#query/nodes/sql-compiler.ts';
import { taggedValue } from '#query/rows/tagged-json.ts';
import { MIXED } from '#query/sql/expressions.ts';
import type { Sql } from '#query/sql/scope.ts';
import { compareValues } from '#query/values/order.ts';

const MAX_CHART_COLUMNS = 10_000;

function factsOf(node: ChartNode): ChartFacts<PlanNode> {
  const { chart } = declarationOf(node);
  if (!chart) throw new Error(`${node.command} makes no columns from values`);
  return chart;
}

/** Rows of key, values as JSON, and how many keys there are: those with a column of their own, and one more. */
export function chartKeysSql(node: ChartNode, compiler: PlanCompiler): string {
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
  const place = (one: readonly Sql[]) => {
    const sorted = one.flatMap((value) => [`(${value.text} is null)`, ...compiler.keys(value)]);
    return `{${sorted.map((text, index) => `k${index}: ${text}`).join(', ')}}`;
  };
  const list = (one: readonly Sql[]) =>
    `json_array(${one.map((value) => compiler.converted(value, 'any')).join(', ')})`;
  const [value] = values;
  if (!value || values.length > 1 || MIXED.includes(value.type)) {
    return `select key, arg_min(${list(values)}, ${place(values)}) as shown, min(${place(values)}) as place, ${ranked} as ranked
      from (select *, ${key} as key from ${from}) group by key`;
  }
  // What is made of one simple value is made of each once.
  const groups = isTelling
    ? `select *, ${key} as key from (select ${value.text}, ${ranked} as ranked from ${from} group by ${value.text})`
    : `select key, min(${value.text}) as ${value.text}, ${ranked} as ranked from (select *, ${key} as key from ${from}) group by key`;
  return `select key, ${list([value])} as shown, ${place([value])} as place, ranked from (${groups})`;
}

export function chartColumnsOf(node: ChartNode, found: readonly (readonly unknown[])[], zone: string): ChartColumn[] {
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
      const name = freeName(node.aggregates.length > 1 ? `${text}_${output}` : text, taken);
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
