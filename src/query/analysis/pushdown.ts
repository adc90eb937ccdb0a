// Which conditions on the rows of a node hold for the rows of its inputs, too: rows without them need not be read (15.3, rules 3
// and 4). Conditions narrow what is read and are evaluated all the same, because the counts of commands follow the text.

import { type Expression, isVolatile } from '#query/model/expression.ts';
import { declarationOf, expressionsOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Pushdown } from '#query/plan-nodes/plan-node.ts';

/** How conditions on the rows of a node reach those of one of its inputs. */
export function throughOf(node: PlanNode, input: PlanNode): Pushdown {
  if (expressionsOf(node).some(isVolatile)) return 'lost';
  const { pushdown } = declarationOf(node);
  if (typeof pushdown === 'function') return pushdown(node, input);
  return node.input === undefined || node.input === input ? pushdown : 'lost';
}

/** The condition of the node itself on the rows of an input. */
export function conditionOn(node: PlanNode, input: PlanNode): Expression | undefined {
  const condition = input === node.input ? declarationOf(node).condition?.(node) : undefined;
  return condition && !isVolatile(condition) ? condition : undefined;
}
