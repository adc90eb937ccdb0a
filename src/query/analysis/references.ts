// Objects outside of a query that its plan refers to, in all its pipelines.

import type { Span } from '#query/model/expression.ts';
import type { Effect } from '#query/plan-nodes/effect.ts';
import { bodyOf, effectOf, isOf, isSink, scanOf, usesOf } from '#query/plan-nodes/facts.ts';
import { type FileRows, files } from '#query/plan-nodes/files.ts';
import { type Import, importPlanNode } from '#query/plan-nodes/import.ts';
import { type Output, output } from '#query/plan-nodes/output.ts';
import { type LookupFill, outputlookup } from '#query/plan-nodes/outputlookup.ts';
import { hasRows, type Plan, type PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanNodeDeclaration } from '#query/plan-nodes/plan-node.ts';
import { type ProcedureRun, proc } from '#query/plan-nodes/proc.ts';
import { type RemoteRows, remoteRows } from '#query/plan-nodes/remote-rows.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import { type SystemRows, system } from '#query/plan-nodes/system.ts';
import { CommandPositions, type Pipeline } from './command-positions.ts';
import { chainOf, everyPlan, phasesIn, pipelinesIn, runningPlans, subPlans } from './sub-plans.ts';

interface NamedSpan extends Span {
  readonly name: string;
}

/**
 * A checked query carries these, so that other rooms read the facts of a plan without loading the nodes of the language.
 * Each is computed when it is read: most queries need a few of them.
 */
export class PlanReferences {
  readonly #plan: Plan;
  readonly #reach: 'query' | 'phase';
  #everyPlanNode: readonly PlanNode[] | undefined;

  /** With `phase` only of the last phase and of what runs with it. */
  constructor(plan: Plan, reach: 'query' | 'phase' = 'query') {
    this.#plan = plan;
    this.#reach = reach;
  }

  /** Of one of its phases; without `reach` of all phases of the pipelines inside of it. */
  ofPhase(phase: Plan, reach: 'query' | 'phase' = 'query'): PlanReferences {
    return new PlanReferences({ ...phase, earlier: [] }, reach);
  }

  /** The pipeline itself, then those of its subqueries in the order of the text, each followed by its own. */
  get pipelines(): readonly Pipeline[] {
    return pipelinesIn(this.#plan).map((plan) => ({
      commands: phasesIn(plan).flatMap(({ commands }) => commands),
      planNodes: phasesIn(plan).flatMap(chainOf),
    }));
  }

  /** Where the commands of the nodes stand in its status record. */
  get positions(): CommandPositions {
    return new CommandPositions(this.pipelines);
  }

  /** set and setq before the drivers of its pipelines. */
  get preambles() {
    return this.#ownPlans.flatMap(({ commands }) => commands.filter((command) => !hasRows(command)));
  }

  get imports(): readonly Import[] {
    return this.#of(importPlanNode);
  }

  get outputs(): readonly Output[] {
    return this.#of(output);
  }

  get filledLookups(): readonly LookupFill[] {
    return this.#of(outputlookup);
  }

  /** Nodes whose rows other nodes of the installation make, in its subqueries and procedures too. */
  get remotes(): readonly RemoteRows[] {
    return this.#of(remoteRows);
  }

  /** Whether it asks or changes something outside, or touches lookups in memory, in its subqueries and procedures too. */
  get hasSink(): boolean {
    return this.#planNodes.some((node) => {
      const effect = effectOf(node);
      return effect !== undefined && (effect.reach !== 'reads' || plansElsewhere(effect).some(hasSink));
    });
  }

  /** Commands that store or write rows, by their names; one of a procedure or of another node at the call. */
  get sinks(): readonly NamedSpan[] {
    return this.#commandsThat(isSink);
  }

  /** As `sinks`, with all others that change something outside of the query. */
  get changes(): readonly NamedSpan[] {
    return this.#commandsThat(isChange);
  }

  #commandsThat(isMeant: (node: PlanNode) => boolean): readonly NamedSpan[] {
    return this.#ownPlans.flatMap(chainOf).flatMap((node) => {
      const { begin, end, command: name } = node;
      if (isMeant(node)) return [{ name, begin, end: begin + name.length }];
      const inside = insideOf(node).flatMap(everyPlanNode).find(isMeant);
      return inside ? [{ name: inside.command, begin, end }] : [];
    });
  }

  /** Whether it reads stored rows alone, without files, procedures and other nodes: its repeats are then alike. */
  get isPlainRead(): boolean {
    return !this.hasSink && [this.files, this.procedures, this.remotes].every(({ length }) => length === 0);
  }

  /** Names of the tables that its own text reads or writes, each once, without those that its procedures read. */
  get namedTables(): ReadonlySet<string> {
    const nodes = this.#ownPlans.flatMap(chainOf);
    const elsewhere = nodes.flatMap((node) => plansElsewhere(effectOf(node)));
    const further = elsewhere.flatMap((planned) => [...new PlanReferences(planned).namedTables]);
    return new Set([...nodes.flatMap(tablesOfPlanNode), ...further]);
  }

  /** Names of the tables that it reads or writes, its procedures included. */
  get tables(): ReadonlySet<string> {
    return new Set(this.#planNodes.flatMap(tablesOfPlanNode));
  }

  /** Names of the tables of which rows are read as they arrive. */
  get awaited(): ReadonlySet<string> {
    return new Set(this.#planNodes.flatMap(awaitedTables));
  }

  /** Names of the tables of which no stored row is read, only rows that arrive. */
  get awaitedOnly(): ReadonlySet<string> {
    return this.awaited.difference(new Set(this.#planNodes.flatMap(heldTables)));
  }

  get systemPlanNodes(): readonly SystemRows[] {
    return this.#of(system);
  }

  get files(): readonly FileRows[] {
    return this.#of(files);
  }

  /** Calls of procedures in the text itself, without those of its procedures. */
  get procedures(): readonly ProcedureRun[] {
    return this.#ownPlans.flatMap(({ commands }) => commands.filter(hasRows)).filter((node) => isOf(node, proc));
  }

  /** Names of the lookups that are read, without those that the query itself builds before. */
  get lookups(): readonly LookupName[] {
    return this.#planNodes.flatMap((node) => usesOf(node).lookup ?? []);
  }

  /** Columns of the result that hold their stored values; undefined where its overflow is not a stored one. */
  get storedNames(): ReadonlySet<string> | undefined {
    const { columns, overflow } = this.#plan.result.rows;
    const scans = this.#planNodes.flatMap((node) => scanOf(node) ?? []);
    const stored = scans.filter(({ rows }) => overflow && rows.overflow?.id === overflow.id);
    if (stored.length === 0) return undefined;
    const names = new Map(stored.flatMap(({ rows }) => rows.columns.map(({ id, name }) => [id, name] as const)));
    return new Set(columns.filter(({ id, name }) => names.get(id) === name).map(({ name }) => name));
  }

  get #ownPlans(): readonly Plan[] {
    if (this.#reach === 'phase') return [this.#plan, ...subPlans(this.#plan)];
    return pipelinesIn(this.#plan).flatMap(phasesIn);
  }

  /** Those of procedures included. */
  get #planNodes(): readonly PlanNode[] {
    const plans = this.#reach === 'phase' ? runningPlans : everyPlan;
    this.#everyPlanNode ??= plans(this.#plan).flatMap(chainOf);
    return this.#everyPlanNode;
  }

  #of<N extends PlanNode, S>(declaration: PlanNodeDeclaration<N, S>): readonly N[] {
    return this.#planNodes.filter((node) => isOf(node, declaration));
  }
}

const hasSink = (plan: Plan): boolean => new PlanReferences(plan).hasSink;

const isChange = (node: PlanNode): boolean => effectOf(node)?.reach === 'changes';

/** Plans of other texts: that of a procedure, and that of another node. */
const insideOf = (node: PlanNode): readonly Plan[] => {
  const body = bodyOf(node);
  return body ? [body] : plansElsewhere(effectOf(node));
};

/** All nodes of a plan, of its procedures and of the plans of other nodes in them. */
const everyPlanNode = (plan: Plan): PlanNode[] =>
  everyPlan(plan)
    .flatMap(chainOf)
    .flatMap((node) => [node, ...plansElsewhere(effectOf(node)).flatMap(everyPlanNode)]);

const plansElsewhere = (effect: Effect | undefined): readonly Plan[] =>
  effect?.kind === 'rows' && effect.planned ? [effect.planned] : [];

const tablesOfPlanNode = (node: PlanNode): readonly string[] => [...awaitedTables(node), ...heldTables(node)];

function awaitedTables(node: PlanNode): readonly string[] {
  const effect = effectOf(node);
  return effect?.kind === 'arrivals' ? effect.tables : [];
}

function heldTables(node: PlanNode): readonly string[] {
  const { tables = [] } = usesOf(node);
  const effect = effectOf(node);
  return effect?.kind === 'ingest' ? [...tables, effect.table] : tables;
}
