// The pipelines inside of a query: subqueries of join, union and remote, and setq, in the order of the text, nested ones after
// their parent (12.4). The body of a procedure is a query of its own and not among them.

import type { Plan, PlanNode } from './plan.ts';

/** The nodes of a pipeline from its driver to its result, those of brackets among them. */
export function chainOf({ result }: Plan): PlanNode[] {
  const chain: PlanNode[] = [];
  for (let node: PlanNode | undefined = result; node; node = 'input' in node ? node.input : undefined) chain.push(node);
  return chain.reverse();
}

export function subPlans(plan: Plan): Plan[] {
  const own = [
    ...chainOf(plan).flatMap((node) => ('right' in node ? [node.right] : [])),
    ...plan.constants.flatMap((step) => (step.kind === 'setq' ? [step.query] : [])),
  ].sort((one, other) => beginOf(one) - beginOf(other));
  return own.flatMap((sub) => [sub, ...subPlans(sub)]);
}

/** All pipelines that run with a query: its own, those inside of it, and the bodies of the procedures that they call. */
export function everyPlan(plan: Plan): Plan[] {
  return [plan, ...subPlans(plan)].flatMap((one) => [
    one,
    ...one.commands.flatMap((node) => (node.kind === 'proc' ? everyPlan(node.body) : [])),
  ]);
}

const beginOf = ({ commands: [first] }: Plan): number => first?.begin ?? 0;
