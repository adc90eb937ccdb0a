// What a plan is about, looked up in all its pipelines.

import type { Import, Plan, PlanNode, Preamble } from '#query/plan.ts';
import { subPlans } from '#query/sub-plans.ts';

/** The pipeline itself, then those of its subqueries in the order of the text, each followed by its own. */
export const pipelinesOf = (plan: Plan): readonly Plan[] => [plan, ...subPlans(plan)];

const nodesOf = (plan: Plan): readonly (PlanNode | Preamble)[] => pipelinesOf(plan).flatMap(({ commands }) => commands);

export const importsOf = (plan: Plan): Import[] => nodesOf(plan).filter((node) => node.kind === 'import');

/** Names of the tables that it reads or writes, each once. */
export const tablesOf = (plan: Plan): ReadonlySet<string> => new Set(nodesOf(plan).flatMap(tablesOfNode));

function tablesOfNode(node: PlanNode | Preamble): string[] {
  if (node.kind === 'table' || node.kind === 'fulltext') return node.tables.map(({ name }) => name);
  return node.kind === 'import' ? [node.table] : [];
}

export const systemObjectsOf = (plan: Plan): ReadonlySet<string> =>
  new Set(nodesOf(plan).flatMap((node) => (node.kind === 'system' ? [node.object] : [])));
