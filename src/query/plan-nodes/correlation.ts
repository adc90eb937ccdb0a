// correlation: one row for each pair of fields, within each group.

import type { Column } from '#query/model/columns.ts';
import { MAX_SQUARED } from '#query/values/aggregates.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { type Assigned, columnsOf, counters, type PlanNodeDeclaration, valuesOf } from './plan-node.ts';
import { groupKey, withComputed } from './shared/groups.ts';
import { alias } from './shared/sql-text.ts';

interface CorrelationColumns {
  readonly x: Column;
  readonly y: Column;
  readonly count: Column;
  readonly corr: Column;
}

export interface Correlation extends Step {
  readonly kind: 'correlation';
  readonly method: 'pearson' | 'spearman';
  readonly by: readonly Assigned[];
  /** Doubles, in the order in which they are written. */
  readonly fields: readonly Assigned[];
  readonly columns: CorrelationColumns;
  /** The number of the pair in the order in which pairs are written. */
  readonly index: number;
}

export const correlation: PlanNodeDeclaration<Correlation> = {
  kind: 'correlation',
  takes: 'all-before-first',
  expressions: ({ by, fields }) => valuesOf([...by, ...fields]),
  makes: ({ by, fields, columns, index }) => [
    ...columnsOf([...by, ...fields]),
    ...Object.values(columns),
    ...counters(index),
  ],
  reads: ({ by, fields }, reading) => reading.expressions(valuesOf([...by, ...fields])),
  pushdown: 'lost',
  counts: 'counted',
  sql: (node, compiler) => (node.method === 'pearson' ? pearson(node, compiler) : spearman(node, compiler)),
};

export interface FieldPair {
  readonly index: number;
  readonly x: Column;
  readonly y: Column;
}

/** The pairs of fields in the order in which they are written. */
export function fieldPairs(fields: readonly Assigned[]): FieldPair[] {
  const pairs = fields.flatMap(({ column: x }, at) => fields.slice(at + 1).map(({ column: y }) => ({ x, y })));
  return pairs.map((pair, index) => ({ index, ...pair }));
}

/** All pairs are aggregates of one pass over the rows. */
function pearson(node: Correlation, compiler: PlanCompiler): string {
  const { input, by, fields } = node;
  const from = withComputed(input, [...by, ...fields], compiler);
  const keys = keysOf(node, compiler);
  const made = fieldPairs(fields).map((pair) => {
    const x = alias(pair.x.id);
    const y = alias(pair.y.id);
    const within = `filter (where abs(${x}) < ${MAX_SQUARED} and abs(${y}) < ${MAX_SQUARED})`;
    return pairOf(pair, `regr_count(${y}, ${x})::bigint`, `vigil_finite(corr(${y}, ${x}) ${within})`, compiler);
  });
  const grouped = `select ${[...keys.shown, `[${made.join(', ')}] as pairs`].join(', ')} from ${from}${groupBy(keys.by)}`;
  const names = by.map(({ column }) => alias(column.id));
  const unnested = `select ${[...names, 'unnest(pairs) as pair'].join(', ')} from (${grouped})`;
  return `select ${[...names, ...pairColumns(node)].join(', ')} from (${unnested})`;
}

/** The ranks of a pair are those among the rows in which both are numbers. */
function spearman(node: Correlation, compiler: PlanCompiler): string {
  const { input, by, fields } = node;
  const from = withComputed(input, [...by, ...fields], compiler);
  const keys = keysOf(node, compiler);
  const all = fieldPairs(fields).map(({ index, x, y }) => `{i: ${index}, x: ${alias(x.id)}, y: ${alias(y.id)}}`);
  const values = `select *, unnest([${all.join(', ')}]) as v from ${from}`;
  const both = 'v.x is not null and v.y is not null';
  const partition = [...keys.by, 'v.i', both].join(', ');
  const rankOf = (value: string) =>
    `case when ${both} then rank() over (partition by ${partition} order by ${value}) + (count(*) over (partition by ${partition}, ${value}) - 1) / 2.0 end`;
  const ranked = `select *, v.i as i, ${rankOf('v.x')} as rx, ${rankOf('v.y')} as ry from (${values})`;
  const names = by.map(({ column }) => alias(column.id));
  const list = [...keys.shown, 'i', 'regr_count(ry, rx)::bigint as n', 'vigil_finite(corr(ry, rx)) as r'];
  const grouped = `select ${list.join(', ')} from (${ranked}) group by ${[...keys.by, 'i'].join(', ')}`;
  const pairs = fieldPairs(fields).map((pair) => pairOf(pair, 'n', 'r', compiler));
  const chosen = `select ${[...names, `([${pairs.join(', ')}])[i + 1] as pair`].join(', ')} from (${grouped})`;
  return `select ${[...names, ...pairColumns(node)].join(', ')} from (${chosen})`;
}

function keysOf({ by }: Correlation, compiler: PlanCompiler) {
  const keys = by.map(({ column }) => ({ column, ...groupKey(compiler.column(column.id), compiler) }));
  return {
    by: keys.flatMap((key) => key.by),
    shown: keys.map(({ column, shown }) => `${shown} as ${alias(column.id)}`),
  };
}

/** Without rows there is no pair. */
const groupBy = (keys: readonly string[]): string =>
  keys.length > 0 ? ` group by ${keys.join(', ')}` : ' having count(*) > 0';

function pairOf({ index, x, y }: FieldPair, count: string, corr: string, compiler: PlanCompiler): string {
  const names = `x: ${compiler.bind(x.name).text}, y: ${compiler.bind(y.name).text}`;
  return `{i: ${index}, ${names}, n: ${count}, r: ${corr}}`;
}

const pairColumns = ({ columns: { x, y, count, corr }, index }: Correlation): string[] => [
  `pair.i::bigint as ${alias(index)}`,
  `pair.x as ${alias(x.id)}`,
  `pair.y as ${alias(y.id)}`,
  `pair.n as ${alias(count.id)}`,
  `pair.r as ${alias(corr.id)}`,
];
