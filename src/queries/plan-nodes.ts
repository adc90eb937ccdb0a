// What a plan is about, looked up in all its pipelines.

import { chainOf, everyPlan, subPlans } from '#query/analysis/sub-plans.ts';
import { MEMORY_LOOKUPS } from '#query/commands/memlookup.ts';
import type { Import, Output, Plan, PlanNode } from '#query/nodes/plan.ts';
import type { LookupName, SystemRows } from '#query/nodes/plan-sources.ts';

/** The pipeline itself, then those of its subqueries in the order of the text, each followed by its own. */
export const pipelinesOf = (plan: Plan): readonly Plan[] => [plan, ...subPlans(plan)];

const nodesOf = (plan: Plan): readonly PlanNode[] => everyPlan(plan).flatMap(chainOf);

export const importsOf = (plan: Plan): Import[] => nodesOf(plan).filter((node) => node.kind === 'import');

export const outputsOf = (plan: Plan): Output[] => nodesOf(plan).filter((node) => node.kind === 'output');

const SINKS: readonly PlanNode['kind'][] = ['import', 'output', 'memlookup', 'memlookup-drop'];

/** Whether a sink or `memlookup` is in it, in its subqueries or in its procedures. */
export const hasSink = (plan: Plan): boolean =>
  nodesOf(plan).some((node) => SINKS.includes(node.kind) || (node.kind === 'system' && node.object === MEMORY_LOOKUPS));

/** Names of the tables that its own text reads or writes, each once: what procedures read is their owners' business. */
export const namedTablesOf = (plan: Plan): ReadonlySet<string> =>
  new Set(pipelinesOf(plan).flatMap(chainOf).flatMap(tablesOfNode));

/** Names of the tables that it reads or writes, its procedures included. */
export const tablesOf = (plan: Plan): ReadonlySet<string> => new Set(nodesOf(plan).flatMap(tablesOfNode));

function tablesOfNode(node: PlanNode): string[] {
  if (node.kind === 'table' || node.kind === 'window' || node.kind === 'fulltext')
    return node.tables.map(({ name }) => name);
  return node.kind === 'import' ? [node.table] : [];
}

export const systemNodesOf = (plan: Plan): SystemRows[] => nodesOf(plan).filter((node) => node.kind === 'system');
/** Names of the tables of which nothing stored is read. */
export function awaitedOnly(plan: Plan): ReadonlySet<string> {
  const nodes = nodesOf(plan);
  const awaited = new Set(nodes.filter(({ kind }) => kind === 'window').flatMap(tablesOfNode));
  return awaited.difference(new Set(nodes.filter(({ kind }) => kind !== 'window').flatMap(tablesOfNode)));
}

export const systemObjectsOf = (plan: Plan): ReadonlySet<string> =>
  new Set(systemNodesOf(plan).map(({ object }) => object));

/** Names of the lookups that are read, those left out that the query itself builds before. */
export const lookupsOf = (plan: Plan): readonly LookupName[] =>
  nodesOf(plan).flatMap((node) =>
    node.kind === 'lookuptable' || (node.kind === 'lookup' && !node.built) ? [node] : [],
  );

/** Columns of the result that nothing has been assigned to since they were read; undefined where its overflow is made. */
export function storedNames(plan: Plan): ReadonlySet<string> | undefined {
  const { columns, overflow } = plan.result.rows;
  const scans = nodesOf(plan).filter(({ kind }) => kind === 'table' || kind === 'fulltext');
  const stored = scans.filter(({ rows }) => overflow && rows.overflow?.id === overflow.id);
  if (stored.length === 0) return undefined;
  const names = new Map(stored.flatMap(({ rows }) => rows.columns.map(({ id, name }) => [id, name] as const)));
  return new Set(columns.filter(({ id, name }) => names.get(id) === name).map(({ name }) => name));
}
