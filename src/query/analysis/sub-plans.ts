// The pipelines inside of a query: subqueries of join, union, remote and fulltext, and setq, in the order of the text, nested ones after
// their parent (12.4). The body of a procedure is a query of its own and not among them.

import type { Plan, PlanNode } from '#query/nodes/plan.ts';

/** The nodes of a pipeline from its driver to its result, those of brackets among them. */
export function chainOf({ result }: Plan): PlanNode[] {
  const chain: PlanNode[] = [];
  for (let node: PlanNode | undefined = result; node; node = 'input' in node ? node.input : undefined) chain.push(node);
  return chain.reverse();
}

/** The pipelines whose rows a node takes beside those of its input. */
export function subqueriesOf(node: PlanNode): readonly Plan[] {
  if ('right' in node) return [node.right];
  return node.kind === 'fulltext' ? node.subqueries : [];
}

export function subPlans(plan: Plan): Plan[] {
  const own = [
    ...chainOf(plan).flatMap(subqueriesOf),
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
