// Nodes and names in all pipelines of a plan.

import { chainOf, everyPlan, subPlans } from '#query/analysis/sub-plans.ts';
import { MEMORY_LOOKUPS } from '#query/commands/memlookup.ts';
import type { Import, Output, Plan, PlanNode } from '#query/nodes/plan.ts';
import type { LookupName, SystemRows } from '#query/nodes/plan-sources.ts';

/** The pipeline, then its subqueries in the order of the text, each followed by its own. */
export const pipelinesOf = (plan: Plan): readonly Plan[] => [plan, ...subPlans(plan)];

const nodesOf = (plan: Plan): readonly PlanNode[] => everyPlan(plan).flatMap(chainOf);

export const importsOf = (plan: Plan): Import[] => nodesOf(plan).filter((node) => node.kind === 'import');

export const outputsOf = (plan: Plan): Output[] => nodesOf(plan).filter((node) => node.kind === 'output');

const SINKS: readonly PlanNode['kind'][] = ['import', 'output', 'memlookup', 'memlookup-drop'];

/** Whether the plan, its subqueries or its procedures contain a sink or `memlookup`. */
export const hasSink = (plan: Plan): boolean =>
  nodesOf(plan).some((node) => SINKS.includes(node.kind) || (node.kind === 'system' && node.object === MEMORY_LOOKUPS));

/** Distinct names of the tables that the text itself reads or writes, without those of procedures. */
export const namedTablesOf = (plan: Plan): ReadonlySet<string> =>
  new Set(pipelinesOf(plan).flatMap(chainOf).flatMap(tablesOfNode));

/** Names of the tables that the plan reads or writes, procedures included. */
export const tablesOf = (plan: Plan): ReadonlySet<string> => new Set(nodesOf(plan).flatMap(tablesOfNode));

function tablesOfNode(node: PlanNode): string[] {
  if (node.kind === 'table' || node.kind === 'window' || node.kind === 'fulltext')
    return node.tables.map(({ name }) => name);
  return node.kind === 'import' ? [node.table] : [];
}

export const systemNodesOf = (plan: Plan): SystemRows[] => nodesOf(plan).filter((node) => node.kind === 'system');
/** Names of the tables whose stored records are not read. */
export function awaitedOnly(plan: Plan): ReadonlySet<string> {
  const nodes = nodesOf(plan);
  const awaited = new Set(nodes.filter(({ kind }) => kind === 'window').flatMap(tablesOfNode));
  return awaited.difference(new Set(nodes.filter(({ kind }) => kind !== 'window').flatMap(tablesOfNode)));
}

export const systemObjectsOf = (plan: Plan): ReadonlySet<string> =>
  new Set(systemNodesOf(plan).map(({ object }) => object));

/** Lookups that are read, without those that the query itself builds before. */
export const lookupsOf = (plan: Plan): readonly LookupName[] =>
  nodesOf(plan).flatMap((node) =>
    node.kind === 'lookuptable' || (node.kind === 'lookup' && !node.built) ? [node] : [],
  );

/** Columns of the result that no command has assigned; undefined where the overflow is not that of stored records. */
export function storedNames(plan: Plan): ReadonlySet<string> | undefined {
  const { columns, overflow } = plan.result.rows;
  const scans = nodesOf(plan).filter(({ kind }) => kind === 'table' || kind === 'fulltext');
  const stored = scans.filter(({ rows }) => overflow && rows.overflow?.id === overflow.id);
  if (stored.length === 0) return undefined;
  const names = new Map(stored.flatMap(({ rows }) => rows.columns.map(({ id, name }) => [id, name] as const)));
  return new Set(columns.filter(({ id, name }) => names.get(id) === name).map(({ name }) => name));
}
