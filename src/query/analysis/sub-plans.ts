// The pipelines inside of a query: subqueries and setq, in the order of the text, nested ones after their parent (12.4). The
// body of a procedure is a query of its own and not among them.

import { bodyOf, chainTo, subqueriesOf } from '#query/nodes/facts.ts';
import { hasRows, type Plan, type PlanNode } from '#query/nodes/plan.ts';

/** The nodes of a pipeline from its driver to its result, those of brackets among them. */
export const chainOf = ({ result }: Plan): PlanNode[] => chainTo(result);

export function subPlans(plan: Plan): Plan[] {
  const own = [
    ...chainOf(plan).flatMap(subqueriesOf),
    ...plan.constants.flatMap((step) => (step.kind === 'setq' ? [step.query] : [])),
  ].sort((one, other) => beginOf(one) - beginOf(other));
  return own.flatMap((sub) => [sub, ...subPlans(sub)]);
}

/** All pipelines that run with a query: its own, those inside of it, and the bodies of the procedures that they call. */
export function everyPlan(plan: Plan): Plan[] {
  return [plan, ...subPlans(plan)].flatMap((one) => [one, ...one.commands.filter(hasRows).flatMap(bodiesOf)]);
}

function bodiesOf(node: PlanNode): Plan[] {
  const body = bodyOf(node);
  return body ? everyPlan(body) : [];
}

const beginOf = ({ commands: [first] }: Plan): number => first?.begin ?? 0;
