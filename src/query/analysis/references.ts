// Objects outside of a query that its plan refers to, in all its pipelines.

import { MEMORY_LOOKUPS } from '#query/commands/memlookup.ts';
import { scanOf, usesOf } from '#query/nodes/facts.ts';
import type { Import } from '#query/nodes/import.ts';
import type { Output } from '#query/nodes/output.ts';
import { hasRows, type Plan, type PlanNode } from '#query/nodes/plan.ts';
import type { ProcedureRun } from '#query/nodes/proc.ts';
import type { LookupName } from '#query/nodes/shared/lookup-rows.ts';
import { namesOf } from '#query/nodes/shared/scans.ts';
import type { SystemRows } from '#query/nodes/system.ts';
import { chainOf, everyPlan, subPlans } from './sub-plans.ts';

/** The pipeline itself, then those of its subqueries in the order of the text, each followed by its own. */
export const pipelinesOf = (plan: Plan): readonly Plan[] => [plan, ...subPlans(plan)];

const nodesOf = (plan: Plan): readonly PlanNode[] => everyPlan(plan).flatMap(chainOf);

const usesIn = (plan: Plan) => nodesOf(plan).map(usesOf);

export const importsOf = (plan: Plan): Import[] => usesIn(plan).flatMap(({ imports = [] }) => imports);

export const outputsOf = (plan: Plan): Output[] => usesIn(plan).flatMap(({ writes = [] }) => writes);

/** Whether it stores or writes rows, or touches lookups in memory, in its subqueries and procedures too. */
export const hasSink = (plan: Plan): boolean =>
  usesIn(plan).some(
    ({ imports, writes, builds, drops, system }) =>
      (imports ?? writes ?? builds ?? drops) !== undefined || system?.object === MEMORY_LOOKUPS,
  );

/** Names of the tables that its own text reads or writes, each once, without those that its procedures read. */
export const namedTablesOf = (plan: Plan): ReadonlySet<string> =>
  new Set(pipelinesOf(plan).flatMap(chainOf).flatMap(tablesOfNode));

/** Names of the tables that it reads or writes, its procedures included. */
export const tablesOf = (plan: Plan): ReadonlySet<string> => new Set(nodesOf(plan).flatMap(tablesOfNode));

const tablesOfNode = (node: PlanNode): readonly string[] => [...awaitedTables(node), ...heldTables(node)];

const awaitedTables = (node: PlanNode): readonly string[] => namesOf(usesOf(node).arrivals?.tables ?? []);

function heldTables(node: PlanNode): readonly string[] {
  const { tables = [], imports } = usesOf(node);
  return imports ? [...tables, imports.table] : tables;
}

/** Names of the tables of which no stored row is read, only rows that arrive. */
export function awaitedOnly(plan: Plan): ReadonlySet<string> {
  const nodes = nodesOf(plan);
  return new Set(nodes.flatMap(awaitedTables)).difference(new Set(nodes.flatMap(heldTables)));
}

export const systemNodesOf = (plan: Plan): SystemRows[] => usesIn(plan).flatMap(({ system = [] }) => system);

export const systemObjectsOf = (plan: Plan): ReadonlySet<string> =>
  new Set(systemNodesOf(plan).map(({ object }) => object));

/** Calls of procedures in the text itself, without those of its procedures. */
export const proceduresOf = (plan: Plan): ProcedureRun[] =>
  pipelinesOf(plan).flatMap(({ commands }) => commands.filter(hasRows).flatMap((node) => usesOf(node).procedure ?? []));

/** Names of the lookups that are read, without those that the query itself builds before. */
export const lookupsOf = (plan: Plan): readonly LookupName[] => usesIn(plan).flatMap(({ lookup = [] }) => lookup);

/** Columns of the result that hold their stored values; undefined where its overflow is not a stored one. */
export function storedNames(plan: Plan): ReadonlySet<string> | undefined {
  const { columns, overflow } = plan.result.rows;
  const scans = nodesOf(plan).flatMap((node) => scanOf(node) ?? []);
  const stored = scans.filter(({ rows }) => overflow && rows.overflow?.id === overflow.id);
  if (stored.length === 0) return undefined;
  const names = new Map(stored.flatMap(({ rows }) => rows.columns.map(({ id, name }) => [id, name] as const)));
  return new Set(columns.filter(({ id, name }) => names.get(id) === name).map(({ name }) => name));
}
