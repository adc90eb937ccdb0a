// rollup and cube: groups by several lists of keys at once.

import { MIXED } from '#query/sql/expressions.ts';
import { aggregate, groupKey, withComputed } from './groups.ts';
import type { RolledKey, Rollup } from './plan.ts';
import { alias, type PlanCompiler } from './sql-compiler.ts';

/** What rows are grouped by gets a name, by which a row can be asked whether it was left out. */
export function rollupSql(node: Rollup, compiler: PlanCompiler): string {
  const { input, by, aggregates, sets } = node;
  const keys = by.map((key) => {
    const value = compiler.column(key.column.id);
    const { by: grouped, shown } = groupKey(value, compiler);
    const name = compiler.name('key');
    return { key, name, grouped: grouped.join(', '), shown: MIXED.includes(value.type) ? shown : name };
  });
  const named = keys.map(({ name, grouped }) => `${grouped} as ${name}`).join(', ');
  const from = `(select *, ${named} from ${withComputed(input, by, compiler)})`;
  const names = keys.map(({ name }) => name).join(', ');
  const isTotal = keys.map(({ name }) => `grouping(${name}) = 1`).join(' and ');
  const list = [
    ...keys.flatMap(({ key, name, shown }) => keyColumns(key, { name, shown, label: node.label }, compiler)),
    ...aggregates
      .filter(({ column }) => compiler.isRead(column.id))
      .map(({ column, call }) => `${aggregate(call, column.type, input, compiler)} as ${alias(column.id)}`),
    // All rows of the input are behind the grand total.
    ...compiler.behind(node, `case when ${isTotal} then count(*) else 0 end`),
  ];
  return `select ${list.join(', ')} from ${from} group by ${sets === 'subsets' ? 'cube' : 'rollup'} (${names})`;
}

function keyColumns(
  { column, shown: made, leftOut }: RolledKey,
  { name, shown, label }: { name: string; shown: string; label: string | undefined },
  compiler: PlanCompiler,
): string[] {
  const own = { text: shown, type: compiler.typeOf(column.id) };
  const told = label === undefined ? { text: 'null', type: 'null' as const } : compiler.bind(label);
  const isLeftOut = `grouping(${name}) = 1`;
  const value = `case when ${isLeftOut} then ${compiler.converted(told, made.type)} else ${compiler.converted(own, made.type)} end`;
  const key = `case when not (${isLeftOut}) then ${shown} end`;
  return [`grouping(${name}) as ${alias(leftOut)}`, `${key} as ${alias(column.id)}`, `${value} as ${alias(made.id)}`];
}
