// A pipeline without a driver, over single records (13): each goes through by itself and comes out or not.

import type { Rows } from '#query/model/columns.ts';
import type { Expression, FieldRead } from '#query/model/expression.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { chainTo, declarationOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import { FIELD_WEIGHT, type HostFacts, RowScope, stepsOf } from '#query/nodes/shared/row-scope.ts';
import { overflowOf, type Row, readField } from '#query/rows/row.ts';

/** Whether the row goes on. */
type RowStep = (row: Row) => boolean;

/** One node alone. */
export function compileStep(node: PlanNode, facts: HostFacts): RowStep {
  const step = declarationOf(node).host?.row?.(node, new RowScope(facts, readField));
  if (!step) throw new Error(`${node.command} is no step of single records`);
  return step;
}

interface RecordPipeline {
  /** The record as it comes out; undefined where a step holds it back. */
  readonly pass: (record: MapValue) => MapValue | undefined;
  /** Whether every record that comes out is as it went in. */
  readonly isOnlyTest: boolean;
}

export function compileSteps(result: PlanNode, facts: HostFacts): RecordPipeline {
  const [given, ...nodes] = chainTo(result);
  if (!given || declarationOf(given).takes !== 'records') throw new Error(`${given?.command} makes rows`);
  const tests = leadingTests(nodes, new RowScope(facts, recordField(given.rows)));
  const others = nodes.slice(tests.length).map((node) => compileStep(node, facts));
  const meter = stepsOf(facts);
  const pass = (record: MapValue): MapValue | undefined => {
    for (const test of tests) if (!test(record)) return undefined;
    if (others.length === 0) return record;
    meter.takeShallow(record, FIELD_WEIGHT);
    const row = rowOf(record, given.rows);
    for (const step of others) if (!step(row)) return undefined;
    return recordOf(row, result.rows, facts);
  };
  return { pass, isOnlyTest: others.length === 0 };
}

/** Tests of the record as it came, before a step changes it: most records end here. */
function leadingTests(nodes: readonly PlanNode[], scope: RowScope<MapValue>): ((record: MapValue) => boolean)[] {
  const tests: ((record: MapValue) => boolean)[] = [];
  for (const node of nodes) {
    const test = declarationOf(node).host?.test?.(node, scope);
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
export const compileReading = (expression: Expression, rows: Rows, facts: HostFacts): ((record: MapValue) => Value) =>
  new RowScope(facts, recordField(rows)).value(expression);

/** Keys of known columns stay in the overflow, where they are not read. */
function rowOf(record: MapValue, { columns, overflow }: Rows): Row {
  const row: Row = [];
  for (const { id, name } of columns) row[id] = record.get(name) ?? null;
  if (overflow) row[overflow.id] = record;
  return row;
}

function recordOf(row: Row, { columns, overflow }: Rows, { isLenient }: HostFacts): MapValue {
  const record = new Map<string, Value>();
  for (const { id, name } of columns) record.set(name, row[id] ?? null);
  const others = overflow && overflowOf(row, overflow);
  others?.forEach((value, name) => {
    if (!(isLenient && value === null) && !record.has(name)) record.set(name, value);
  });
  if (isLenient) for (const { id, name } of columns) if ((row[id] ?? null) === null) record.delete(name);
  return record;
}
