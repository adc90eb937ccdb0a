// Rows of plans in plain TypeScript: what all nodes need.

import { compileStep } from '#query/local/record-steps.ts';
import type { Overflow, Rows } from '#query/model/columns.ts';
import type { AggregateCall, ColumnId, Expression, FieldRead } from '#query/model/expression.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { Value } from '#query/model/values.ts';
import type { KnownPlanNode } from '#query/plan-nodes/kinds.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import type { LocalFacts } from '#query/plan-nodes/shared/row-scope.ts';
import { compileAggregate, compileExpression } from '#query/values/evaluator/evaluator.ts';
import { compareValues, groupKey } from '#query/values/order.ts';
import { compareText } from '#query/values/order-text.ts';

/** Values by column; an overflow is a map. */
export type Row = ReadonlyMap<ColumnId, Value>;
export type StoredRow = ReadonlyMap<string, Value>;
export type PlanNodeOf<K> = Extract<KnownPlanNode, { kind: K }>;

export abstract class LocalRows {
  readonly run: RunFacts;

  constructor(run: RunFacts) {
    this.run = run;
  }

  /** In their order. */
  abstract rows(node: PlanNode): Row[];

  get facts() {
    return { run: this.run, constants: new Map<string, Value>() };
  }

  value(expression: Expression): (row: Row) => Value {
    return compileExpression(expression, { ...this.facts, field: readField });
  }
  compare(one: Value, other: Value): number {
    return compareValues(one, other, this.run.zone);
  }
  groups(rows: readonly Row[], keys: (row: Row) => readonly Value[]): { values: readonly Value[]; rows: Row[] }[] {
    const groups = new Map<string, { values: readonly Value[]; rows: Row[] }>();
    for (const row of rows) {
      const values = keys(row);
      const key = groupKey([...values], this.run.zone);
      const group = groups.get(key) ?? { values, rows: [] };
      groups.set(key, group);
      group.rows.push(row);
    }
    const found = [...groups.values()];
    return found.sort((one, other) => this.compare([...one.values], [...other.values]));
  }
  keysOf(by: readonly Assigned[]): (row: Row) => Value[] {
    const read = by.map(({ value }) => this.value(value));
    return (row) => read.map((one) => one(row));
  }
  aggregate(call: AggregateCall, rows: readonly Row[]): Value {
    return compileAggregate(call, { ...this.facts, field: readField })(rows);
  }
  /** So many of each combination. */
  firsts(rows: readonly Row[], keys: (row: Row) => Value[], most: number): Row[] {
    const seen = new Map<string, number>();
    return rows.filter((row) => {
      const key = groupKey(keys(row), this.run.zone);
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      return count <= most;
    });
  }
}

/** A step of single rows on a copy of the row; undefined where it keeps it back. */
export function copyingStep(node: PlanNode, facts: LocalFacts): (row: Row) => Row | undefined {
  const step = compileStep(node, facts);
  return (row) => {
    const values = listed(row);
    return step(values) ? mapped(values) : undefined;
  };
}

/** As the local evaluator has it. */
export function listed(row: Row): Value[] {
  const values: Value[] = [];
  for (const [id, value] of row) values[id] = value;
  return values;
}

export const mapped = (values: readonly Value[]): Row =>
  new Map(values.entries().filter(([, value]) => value !== undefined));

export function readField({ name, source }: FieldRead): (row: Row) => Value {
  if (source?.kind === 'column') return (row) => row.get(source.id) ?? null;
  if (source?.kind !== 'overflow') return () => null;
  return (row) => {
    const map = row.get(source.id);
    return map instanceof Map ? (map.get(name) ?? null) : null;
  };
}

/** What an overflow holds but for the keys that count as absent. */
export function left(row: Row, { id, without }: Overflow): [string, Value][] {
  const map = row.get(id);
  return map instanceof Map ? [...map].filter(([name]) => !without.includes(name)) : [];
}

export type Pair = [ColumnId, Value];

export const withValues = (row: Row, ...pairs: readonly Pair[]): Row => new Map([...row, ...pairs]);

export function recordRow(record: StoredRow, { columns, unlisted = [], overflow }: Rows): Row {
  const named = [...columns, ...unlisted];
  const row = new Map<ColumnId, Value>(named.map(({ id, name }) => [id, record.get(name) ?? null]));
  const known = new Set(named.map(({ name }) => name));
  if (overflow) row.set(overflow.id, new Map([...record].filter(([name]) => !known.has(name))));
  return row;
}

/** Fields of a row by name: columns, then keys of the overflow by code point. */
export function fieldsOf(row: Row, { columns, overflow }: Rows): Map<string, Value> {
  const fields = new Map<string, Value>(columns.map(({ id, name }) => [name, row.get(id) ?? null]));
  const rest = overflow ? left(row, overflow).sort(([one], [other]) => compareText(one, other)) : [];
  for (const [name, value] of rest) if (!fields.has(name) && value !== null) fields.set(name, value);
  return fields;
}
