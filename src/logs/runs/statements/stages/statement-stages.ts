// Statements of DuckDB as stages of a run: where one runs, for which commands, and how its text is shown.

import { quotedName } from '#logs/runs/duckdb/quote.ts';
import { movedTexts, type StageEngine, type StageRecorder, type StageStart } from '#logs/stage-recorder.ts';
import { chainTo, tableScanOf } from '#query/plan-nodes/facts.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { isTableSelect } from '#query/plan-nodes/shared/compile-context.ts';
import type { PlanStatement } from '#query/statements/statements.ts';

type DuckdbModule = typeof import('@duckdb/node-api');

interface StagePosition {
  readonly duckdb: DuckdbModule;
  /** Where statements run that read tables. */
  readonly statementsOn: StageEngine;
}

export function statementStage(statement: PlanStatement, { duckdb, statementsOn }: StagePosition): StageStart {
  const engine = statement.sources.some(isTableSelect) ? statementsOn : 'node';
  return {
    engine,
    planNodes: engine === 'node' ? leftToDo(statement.planNodes) : statement.planNodes,
    statement: () => shownText(statement, duckdb),
  };
}

/** Of rows that are known without a statement: told by the catalog, by the text, or made of groups that were read before. */
export function knownStage(result: PlanNode, statementsOn: StageEngine): StageStart {
  if ('found' in result && result.found) return { engine: 'node', planNodes: [result] };
  const nodes = chainTo(result);
  const engine = nodes.some(tableScanOf) ? statementsOn : 'node';
  return { engine, planNodes: engine === 'node' ? leftToDo(nodes) : nodes };
}

/** No record is read for them. */
export function tellKnown(recorder: StageRecorder, stage: StageStart, texts: readonly string[]): void {
  const meter = recorder.begin(stage);
  meter.read(0, 0);
  if (stage.engine !== 'node') movedTexts(meter, texts);
  meter.ended();
}

/** Rows of a scan that another engine has made need no more work. */
export function leftToDo(nodes: readonly PlanNode[]): readonly PlanNode[] {
  const left = nodes.filter((node) => tableScanOf(node) === undefined);
  return left.length === 0 ? nodes : left;
}

/** Tables and lookups stand under their names in place of their files, and numbers of parameters in place of values. */
function shownText(statement: PlanStatement, duckdb: DuckdbModule): string {
  const { text } = statement.filled(duckdb, (source) =>
    shownRows([isTableSelect(source) ? source.table.name : source.lookup]),
  );
  return statement.condensed.reduce((shown, { select, tables }) => shown.replaceAll(select, shownRows(tables)), text);
}

export const shownRows = (names: readonly string[]): string =>
  names.map((name) => `select * from ${quotedName(name)}`).join(' union all ');
