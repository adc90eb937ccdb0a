// Fields of the row as one JSON text: without `fields` the known columns of the input in order, then its overflow; the
// service's own columns only where they are named.

import { type Column, SERVICE_COLUMNS } from '#query/model/columns.ts';
import type { Expression } from '#query/model/expression.ts';
import type { Value } from '#query/model/values.ts';
import type { Row } from '#query/rows/row.ts';
import { jsonOf, keysOf, namedFields, ownFields } from '#query/rows/whole-rows.ts';
import { compactJson } from '#query/values/conversions.ts';
import { JSON_WEIGHT } from '#query/values/steps.ts';
import type { Step } from './plan.ts';
import type { PlanCompiler } from './plan-compiler.ts';
import { nothing, type PlanNodeDeclaration } from './plan-node.ts';
import { evaluatedLocally } from './shared/local-rows.ts';
import type { RowScope } from './shared/row-scope.ts';

interface ToJson extends Step {
  readonly kind: 'tojson';
  readonly column: Column;
  readonly fields?: readonly { readonly name: string; readonly value: Expression }[];
}

export const tojson: PlanNodeDeclaration<ToJson> = {
  kind: 'tojson',
  takes: 'each',
  expressions: ({ fields = [] }) => fields.map(({ value }) => value),
  makes: nothing,
  reads({ column, fields, input }, reading) {
    if (!reading.isRead(column.id)) return;
    if (!fields) {
      const { order: _, ...rows } = input.rows;
      reading.wholeRows(rows);
    }
    for (const { value } of fields ?? []) reading.expression(value);
  },
  pushdown: 'lost',
  counts: 'as-input',
  sql,

  local: {
    begins: (_, isInThreads) => isInThreads,
    row(node, scope) {
      const json = rowJson(node, scope);
      const { meter } = scope;
      return (row) => {
        for (const value of row) meter.takeDeep(value ?? null, JSON_WEIGHT);
        row[node.column.id] = json(row);
        return true;
      };
    },
  },
};

function rowJson({ fields, input }: ToJson, scope: RowScope<Row>): (row: Row) => string {
  const { zone } = scope.run;
  if (!fields) return (row) => jsonOf(ownFields(namedFields(row, input.rows)), zone);
  const named = fields.map(({ name, value }) => [name, scope.value(value)] as const);
  return (row) =>
    jsonOf(
      named.map(([name, evaluate]) => [name, evaluate(row)] as const),
      zone,
    );
}

function sql({ input, column, fields, rows }: ToJson, compiler: PlanCompiler): string {
  const from = compiler.planNode(input);
  if (!compiler.isRead(column.id)) return from;
  const { columns, overflow } = input.rows;
  const named = fields
    ? fields.map(({ name, value }) => ({ name, value: compiler.expression(value) }))
    : columns
        .filter(({ name }) => !SERVICE_COLUMNS.includes(name))
        .map(({ id, name }) => ({ name, value: compiler.column(id) }));
  const rest = fields || !overflow ? [] : [compiler.column(overflow.id)];
  const gone = new Set([...SERVICE_COLUMNS, ...columns.map(({ name }) => name), ...(overflow?.without ?? [])]);
  const { zone } = compiler.context.run;
  const written = (values: readonly Value[]): Value => {
    const row = new Map<string, Value>();
    named.forEach(({ name }, index) => {
      const value = values[index] ?? null;
      if (value !== null && !row.has(name)) row.set(name, value);
    });
    for (const [name, value] of keysOf(values[named.length] ?? null)) {
      if (value !== null && !gone.has(name)) row.set(name, value);
    }
    return compactJson(row, zone);
  };
  const made = evaluatedLocally(written, [...named.map(({ value }) => value), ...rest], { type: 'string', compiler });
  return compiler.select(rows, { from: `(${from})`, computed: new Map([[column.id, made.text]]) });
}
