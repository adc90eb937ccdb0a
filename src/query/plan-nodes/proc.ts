// A stored query that runs with its owner's rights; its rows are those of its own plan.

import type { Expression } from '#query/model/expression.ts';
import type { Plan, PlanNode } from './plan.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';

export interface ProcedureRun extends PlanNode {
  readonly kind: 'proc';
  readonly procedure: string;
  readonly constants: ReadonlyMap<string, Expression>;
  readonly body: Plan;
}

export const proc: PlanNodeDeclaration<ProcedureRun> = {
  kind: 'proc',
  takes: 'no-rows',
  expressions: nothing,
  makes: nothing,
  reads: nothing,
  pushdown: 'kept',
  counts: ({ body }) => ({ sumOf: [body.result] }),
  body: ({ body }) => body,
  sql: ({ body }, compiler) => compiler.planNode(body.result),
};
