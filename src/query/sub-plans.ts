// The pipelines inside of a query: subqueries of join and union, and setq, in the order of the text, nested ones after
// their parent (12.4). The body of a procedure is a query of its own and not among them.

import type { Plan } from './plan.ts';

export function subPlans(plan: Plan): Plan[] {
  const own = [
    ...plan.commands.flatMap((node) => (node.kind === 'join' || node.kind === 'union' ? [node.right] : [])),
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
