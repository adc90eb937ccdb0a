// The rows of the input and those of a subquery. Without `input` it begins the query.

import type { Plan, PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { type MergedRows, readMerged, sideSql } from './shared/merges.ts';
import { strippedOverflow } from './shared/overflow.ts';
import { alias } from './shared/sql-text.ts';

export interface Union extends PlanNode, MergedRows {
  readonly kind: 'union';
  readonly input?: PlanNode;
  readonly right: Plan;
}

export const union: PlanNodeDeclaration<Union> = {
  kind: 'union',
  takes: 'as-needed',
  expressions: nothing,
  makes: nothing,
  reads: readMerged,
  pushdown(node, input) {
    const side = input === node.input ? 'left' : 'right';
    return node.merged.map((merged) => [merged.column.id, merged[side]]);
  },
  counts: ({ input, right }) => ({ sumOf: [...(input ? [input] : []), right.result] }),
  subqueries: { plans: ({ right }) => [right], taken: 'as-needed' },

  sql({ input, right, merged, overflow }, compiler) {
    const sides = [
      ...(input ? [{ side: 'left' as const, text: compiler.planNode(input) }] : []),
      { side: 'right' as const, text: compiler.planNode(right.result) },
    ];
    const read = merged.filter(({ column }) => compiler.isRead(column.id));
    return sides
      .map(({ side, text }) => {
        const list = read.map(
          ({ column, [side]: field }) => `${sideSql(field, column, compiler)} as ${alias(column.id)}`,
        );
        if (overflow && compiler.isRead(overflow.id)) {
          const own = overflow[side];
          const value = own ? strippedOverflow(own, compiler).text : 'null::json';
          list.push(`(${value})::json as ${alias(overflow.id)}`);
        }
        return `select ${list.join(', ') || '1 as nothing'} from (${text})`;
      })
      .join(' union all ');
  },
};
