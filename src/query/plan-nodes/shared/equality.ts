// Equality of keys (4.2) between two sets of rows.

import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import { equalityKey, equalitySql } from '#query/sql/expressions.ts';
import type { Sql } from '#query/sql/scope.ts';

const PLAIN: readonly string[] = ['bool', 'long', 'double', 'date', 'string', 'binary'];

export const isPlainEquality = (left: Sql, right: Sql): boolean =>
  left.type === right.type && PLAIN.includes(left.type);

/**
 * Of one simple type DuckDB's own equality, by which it can join without comparing all pairs; of others that of keys of a
 * side each, and then only of those that these let through.
 */
export function keyEquality(left: Sql, right: Sql, compiler: PlanCompiler): string {
  if (isPlainEquality(left, right)) return `${left.text} = ${right.text}`;
  const scope = compiler.scope();
  const [one, other] = [left, right].map((side) => equalityKey(side, scope));
  return `${one} = ${other} and ${equalitySql(left, right, scope)}`;
}
