// The overflow of rows in SQL: one JSON object with all fields that are no known columns.

import type { Overflow } from '#query/model/columns.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import type { Sql } from '#query/sql/scope.ts';

/** An overflow without the keys that count as absent. */
export function strippedOverflow({ id, without }: Overflow, compiler: PlanCompiler): Sql {
  // An overflow of which only absent keys are read does not come up from below.
  if (!compiler.isRead(id)) return { text: 'null::json', type: 'map', isPlain: true };
  const overflow = compiler.column(id);
  if (without.length === 0) return overflow;
  const gone = compiler.bind(new Map(without.map((name) => [name, null]))).text;
  return {
    text: `case when ${overflow.text} is not null then json_merge_patch(${overflow.text}, ${gone}) end`,
    type: 'map',
  };
}

/** A key of a map as it stands there: the JSON text `null` where it is null, null where it is absent. */
export function rawKey(map: string, name: string, compiler: PlanCompiler): string {
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return `(${map}->${compiler.bind(pointer).text})`;
}
