// Groups of rows and aggregates over them: stats and all commands like it.

import type { Column, Rows } from '#query/model/columns.ts';
import type { AggregateCall, ColumnId } from '#query/model/expression.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import type { PlanCompiler } from '#query/plan-nodes/plan-compiler.ts';
import type { Assigned } from '#query/plan-nodes/plan-node.ts';
import { aggregateAs, MIXED } from '#query/sql/expressions.ts';
import { mixedValue, partsIn } from '#query/sql/mixed.ts';
import type { MixedParts, Sql, SqlScope } from '#query/sql/scope.ts';
import type { Reading } from './reading.ts';

export interface Grouped {
  readonly by: readonly Assigned[];
  readonly aggregates: readonly { readonly column: Column; readonly call: AggregateCall }[];
}

/** Keys and arguments of aggregates. */
export const groupExpressions = ({ by, aggregates }: Grouped) => [
  ...by.map(({ value }) => value),
  ...aggregates.flatMap(({ call }) => call.args),
];

export const callsOf = ({ aggregates }: { readonly aggregates: readonly { readonly call: AggregateCall }[] }) =>
  aggregates.map(({ call }) => call);

/** Whether an aggregate is the number of rows. */
export const isRowCount = ({ called, args }: AggregateCall): boolean => called.name === 'count' && args.length === 0;

/** Aggregates that are read; the keys too, where `makesGroups` says that rows are made by them, or some aggregate is read. */
export function readGroups(
  { by, aggregates }: Grouped,
  rows: Rows,
  { reading, makesGroups }: { readonly reading: Reading; readonly makesGroups: boolean },
): void {
  const read = aggregates.filter(({ column }) => reading.isRead(column.id));
  if (makesGroups || read.length > 0) for (const { value } of by) reading.expression(value);
  for (const { call } of read) reading.aggregate(call, rows);
}

/** What rows are grouped by, and how a group shows its value: of values that are one group the least text. */
export interface GroupKey {
  readonly by: readonly string[];
  readonly shown: string;
}

export function groupKey(value: Sql, compiler: PlanCompiler): GroupKey {
  if (!MIXED.includes(value.type)) return { by: [value.text], shown: value.text };
  const { parts } = value;
  // Values that are equal by 3.4 are in one part, unless any may be in the other one.
  if (parts && !parts.other) {
    return { by: partsIn(parts).map(({ text }) => text), shown: mixedValue(parts, compiler.writer()).text };
  }
  if (parts?.other && partsIn(parts).length > 1 && parts.number?.type !== 'long') {
    return keyWithOther(parts, parts.other, compiler);
  }
  return { by: [compiler.group(value)], shown: `min(${value.text})::json` };
}

/** Values of the other part join those of the part that may have equal ones; the rest of them has a key of JSON. */
function keyWithOther(parts: MixedParts, other: Sql, compiler: PlanCompiler): GroupKey {
  const writer = compiler.writer();
  const is = (type: string) => writer.macro(`is_${type}`, [other]);
  const double = `vigil_finite(try_cast(${other.text}::varchar as double))`;
  const asGroup = compiler.group(other);
  const joined = (part: Sql | undefined, condition: string, value: string) => {
    const own = part ? `${part.text}, ` : '';
    return `coalesce(${own}case when ${other.text} is not null then case when ${condition} then ${value} end end)`;
  };
  const typed: MixedParts = {
    number: {
      // A number that no double holds is equal to none of the part.
      text: joined(parts.number, `${is('number')} and ${asGroup} = vigil_whole_text(${double})`, `${double} + 0.0`),
      type: 'number',
    },
    string: { text: joined(parts.string, is('text'), `${other.text}->>'$'`), type: 'string' },
    bool: { text: joined(parts.bool, is('bool'), `${other.text} = 'true'`), type: 'bool' },
  };
  const keys = partsIn(typed).map(({ text }) => text);
  const isTyped = keys.map((key) => `(${key}) is not null`).join(' or ');
  const rest = `case when ${other.text} is not null then case when not (${isTyped}) then ${asGroup} end end`;
  const ofTyped = `case when bool_or(${other.text} is null) then ${mixedValue(typed, writer).text} end`;
  return { by: [...keys, rest], shown: `least((${ofTyped})::varchar, min(${other.text}::varchar))::json` };
}

/** The rows of a node, each with further columns. */
export function withComputed(input: PlanNode, made: readonly Assigned[], compiler: PlanCompiler): string {
  const from = compiler.planNode(input);
  const computed = new Map<ColumnId, Sql>();
  for (const { column, value } of made) {
    computed.set(column.id, compiler.expression(value, column.type));
  }
  if (computed.size === 0) return `(${from})`;
  const more = compiler.carriedOf(input);
  return `(${compiler.select([...compiler.outputs(input.rows), ...computed.keys()], { from: `(${from})`, computed, more })})`;
}

export function aggregate(call: AggregateCall, as: ColumnType, input: PlanNode, compiler: PlanCompiler): string {
  const merged = compiler.condensed.merged(input, call);
  if (merged) return compiler.converted(merged, as);
  const order = call.called.ordered ? compiler.order(input.rows) : undefined;
  const scope = { ...sequenceScope(input, compiler), ...(order === undefined ? {} : { order }) };
  const { text, type } = aggregateAs(call, compiler.scope(scope), as);
  return type === 'null' ? `any_value(null::json)` : text;
}

/** Where the arguments of aggregates call seq(). */
export function sequenceScope(input: PlanNode, compiler: PlanCompiler): Pick<SqlScope, 'sequence'> {
  const [text] = compiler.sequenceOf(input);
  return text === undefined ? {} : { sequence: () => ({ text, type: 'long', isPlain: true }) };
}
