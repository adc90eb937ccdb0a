// Rows of the host by the names of their fields.

import { left, type Row } from '#query/host/row-steps.ts';
import { SERVICE_COLUMNS } from '#query/model/columns.ts';
import type { Value } from '#query/model/values.ts';
import type { Rows, ToJson } from '#query/nodes/plan.ts';
import { compileExpression, type EvaluationScope } from '#query/values/evaluator.ts';
import { compactJson } from '#query/values/json.ts';
import { compareText } from '#query/values/order-text.ts';

/** In the order of columns, then those of the overflow by code point. */
export function namedFields(row: Row, { columns, overflow }: Rows): Map<string, Value> {
  const fields = new Map<string, Value>();
  for (const { id, name } of columns) if (!fields.has(name)) fields.set(name, row[id] ?? null);
  const rest = overflow ? [...(left(row, overflow) ?? [])].sort(([one], [other]) => compareText(one, other)) : [];
  for (const [name, value] of rest) if (!fields.has(name)) fields.set(name, value);
  return fields;
}

/** What tojson writes: without nulls, and without the service's own fields unless they are named. */
export function jsonOf(fields: Iterable<readonly [string, Value]>, zone: string): string {
  const kept = new Map<string, Value>();
  for (const [name, value] of fields) if (value !== null && !kept.has(name)) kept.set(name, value);
  return compactJson(kept, zone);
}

export const ownFields = (fields: Iterable<readonly [string, Value]>): (readonly [string, Value])[] =>
  [...fields].filter(([name]) => !SERVICE_COLUMNS.includes(name));

export function rowJson({ fields, input }: ToJson, scope: EvaluationScope<Row>): (row: Row) => string {
  const { zone } = scope.run;
  if (!fields) return (row) => jsonOf(ownFields(namedFields(row, input.rows)), zone);
  const named = fields.map(({ name, value }) => [name, compileExpression(value, scope)] as const);
  return (row) =>
    jsonOf(
      named.map(([name, evaluate]) => [name, evaluate(row)] as const),
      zone,
    );
}
