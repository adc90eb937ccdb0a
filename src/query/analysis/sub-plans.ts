// The pipelines inside of a query: subqueries and setq, in the order of the text, nested ones after their parent (12.4). The
// body of a procedure is a query of its own and not among them.

import { bodyOf, chainTo, subqueriesOf } from '#query/plan-nodes/facts.ts';
import { hasRows, type Plan, type PlanNode } from '#query/plan-nodes/plan.ts';

/** The nodes of a phase from its driver to its result, those of brackets among them. */
export const chainOf = ({ result }: Plan): PlanNode[] => chainTo(result);

/** The phases of a pipeline in the order of the text. */
export const phasesIn = (plan: Plan): readonly Plan[] => [...plan.earlier, plan];

/** Pipelines that run with a phase. */
export const subPlans = (plan: Plan): Plan[] => ownSubPlans(plan).flatMap((sub) => [sub, ...subPlans(sub)]);

const ownSubPlans = (phase: Plan): Plan[] =>
  [
    ...chainOf(phase).flatMap(subqueriesOf),
    ...phase.constants.flatMap((step) => (step.kind === 'setq' ? [step.query] : [])),
  ].sort((one, other) => beginOf(one) - beginOf(other));

/** A pipeline and those inside of it, in all their phases. */
export const pipelinesIn = (plan: Plan): Plan[] => [
  plan,
  ...phasesIn(plan).flatMap((phase) => ownSubPlans(phase).flatMap(pipelinesIn)),
];

/** All that runs with a phase: its own plan, those inside of it, and the bodies of the procedures that they call. */
export const runningPlans = (phase: Plan): Plan[] =>
  [phase, ...subPlans(phase)].flatMap((one) => [one, ...bodiesOf(one).flatMap(runningPlans)]);

/** All phases of a query, of the pipelines inside of it and of the procedures that they call. */
export const everyPlan = (plan: Plan): Plan[] =>
  pipelinesIn(plan)
    .flatMap(phasesIn)
    .flatMap((one) => [one, ...bodiesOf(one).flatMap(everyPlan)]);

const bodiesOf = ({ commands }: Plan): Plan[] => commands.filter(hasRows).flatMap((node) => bodyOf(node) ?? []);

const beginOf = ({ commands: [first] }: Plan): number => first?.begin ?? 0;
