// A pipeline without a driver, over single records (13): each goes through by itself and comes out or not.

import type { Rows } from '#query/model/columns.ts';
import type { Expression, FieldRead } from '#query/model/expression.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { chainTo, declarationOf } from '#query/plan-nodes/facts.ts';
import type { LocalStep } from '#query/plan-nodes/local-form.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { FIELD_WEIGHT, type LocalFacts, RowScope, stepsOf } from '#query/plan-nodes/shared/row-scope.ts';
import { overflowOf, type Row, readField } from '#query/rows/row.ts';

/** Whether the row goes on. */
type RowStep = (row: Row) => boolean;

/** One node alone. */
export function compileStep(node: PlanNode, facts: LocalFacts): RowStep {
  const step = declarationOf(node).local?.row?.(node, scopeOf(facts));
  if (!step) throw new Error(`${node.command} is no step of single records`);
  return step;
}

/** For nodes of the local evaluator: they may run pipelines of their own. */
export const scopeOf = (facts: LocalFacts): RowScope<Row> =>
  new RowScope({ ...facts, recordSteps: (chain) => compileChain(chain, facts).pass }, readField);

interface RecordPipeline {
  /** The record as it comes out; undefined where a step holds it back. */
  readonly pass: (record: MapValue) => MapValue | undefined;
  /** Whether every record that comes out is as it went in. */
  readonly isOnlyTest: boolean;
}

export const compileSteps = (result: PlanNode, facts: LocalFacts): RecordPipeline =>
  compileChain(chainTo(result), facts);

/** The same of its nodes, from the given rows to the last. */
export function compileChain([given, ...nodes]: readonly PlanNode[], facts: LocalFacts): RecordPipeline {
  if (!given || declarationOf(given).takes !== 'records') throw new Error(`${given?.command} makes rows`);
  const tests = leadingTests(nodes, new RowScope(facts, recordField(given.rows)));
  const { rows } = nodes.at(-1) ?? given;
  const through = rowPipeline(nodes.slice(tests.length), facts);
  const meter = stepsOf(facts);
  const pass = (record: MapValue): MapValue | undefined => {
    for (const test of tests) if (!test(record)) return undefined;
    if (tests.length === nodes.length) return record;
    meter.takeShallow(record, FIELD_WEIGHT);
    const row = through(rowOf(record, given.rows));
    return row && recordOf(row, rows, facts);
  };
  return { pass, isOnlyTest: tests.length === nodes.length };
}

/** The row that comes out for one; the first of several. */
function rowPipeline(nodes: readonly PlanNode[], facts: LocalFacts): (row: Row) => Row | undefined {
  if (nodes.every((node) => declarationOf(node).local?.row)) {
    const steps = nodes.map((node) => compileStep(node, facts));
    return (row) => (steps.every((step) => step(row)) ? row : undefined);
  }
  const steps = nodes.map((node) => severalRows(node, facts));
  return (row) => rowsFrom(steps, 0, row).next().value ?? undefined;
}

function severalRows(node: PlanNode, facts: LocalFacts): LocalStep {
  const { local } = declarationOf(node);
  if (local?.rows) return local.rows(node, { scope: scopeOf(facts), parameters: new Map(), position: () => 1n });
  const step = compileStep(node, facts);
  return (row) => (step(row) ? row : undefined);
}

function* rowsFrom(steps: readonly LocalStep[], at: number, row: Row): Generator<Row, undefined> {
  const made = steps[at] ? steps[at](row) : row;
  if (!made) return;
  if (Array.isArray(made)) {
    if (at >= steps.length) yield made;
    else yield* rowsFrom(steps, at + 1, made);
    return;
  }
  for (const one of made) yield* rowsFrom(steps, at + 1, one);
}

/** Tests of the record as it came, before a step changes it: most records end here. */
function leadingTests(nodes: readonly PlanNode[], scope: RowScope<MapValue>): ((record: MapValue) => boolean)[] {
  const tests: ((record: MapValue) => boolean)[] = [];
  for (const node of nodes) {
    const test = declarationOf(node).local?.test?.(node, scope);
    if (!test) break;
    tests.push(test);
  }
  return tests;
}

/** Reads a field of a record as it came. */
function recordField({ columns }: Rows): (field: FieldRead) => (record: MapValue) => Value {
  const names = new Map(columns.map(({ id, name }) => [id, name]));
  return ({ name, source }) => {
    if (source?.kind === 'rest') return (record) => record;
    const key = source?.kind === 'column' ? (names.get(source.id) ?? name) : name;
    return (record) => record.get(key) ?? null;
  };
}

/** The value of an expression over a record as it came; null where it cannot be computed. */
export const compileReading = (expression: Expression, rows: Rows, facts: LocalFacts): ((record: MapValue) => Value) =>
  new RowScope(facts, recordField(rows)).value(expression);

/** Keys of known columns stay in the overflow, where they are not read. */
function rowOf(record: MapValue, { columns, overflow }: Rows): Row {
  const row: Row = [];
  for (const { id, name } of columns) row[id] = record.get(name) ?? null;
  if (overflow) row[overflow.id] = record;
  return row;
}

function recordOf(row: Row, { columns, overflow }: Rows, { isLenient }: LocalFacts): MapValue {
  const record = new Map<string, Value>();
  for (const { id, name } of columns) record.set(name, row[id] ?? null);
  const others = overflow && overflowOf(row, overflow);
  others?.forEach((value, name) => {
    if (!(isLenient && value === null) && !record.has(name)) record.set(name, value);
  });
  if (isLenient) for (const { id, name } of columns) if ((row[id] ?? null) === null) record.delete(name);
  return record;
}
