// Reads and plans what the statistics (8.3) have in common: aggregates of numbers in columns of fixed names, by groups.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import { functionNamed } from '#query/functions/index.ts';
import { fieldsText } from '#query/language/expressions/expression-text.ts';
import type { Name, Words } from '#query/language/words.ts';
import { readColumn } from '#query/model/columns.ts';
import { columnRead, type Expression } from '#query/model/expression.ts';
import type { AggregateDeclaration } from '#query/model/function.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { ColumnType } from '#query/model/values.ts';
import type { Stats } from '#query/plan-nodes/stats.ts';
import type { CommandPlanning } from '#query/planning/command-planning.ts';
import { arithmetic, call, checkArguments, literal } from '#query/values/typing.ts';
import { AGGREGATE_KEYWORDS, takeFieldsAfter } from './aggregate-list.ts';
import { ascending, groupKeys } from './grouping.ts';
import { HiddenColumns } from './hidden-columns.ts';

export function* takeBy(words: Words): SlicedWork<readonly Name[]> {
  return words.takeKeyword('by') ? yield* takeFieldsAfter(words, AGGREGATE_KEYWORDS) : [];
}

export const byText = (by: readonly Name[]): string =>
  by.length > 0 ? ` by ${fieldsText(by, AGGREGATE_KEYWORDS)}` : '';

/** Rejects a group field that is named like a column of the result (22004). */
export function requireFreeNames(by: readonly Name[], columns: readonly string[]): void {
  const clash = by.find(({ text }) => columns.includes(text));
  if (clash) throw new QueryError(22004, clash, { name: clash.text });
}

/** The value as a number (3.2), null where it is none; a number keeps its type. */
export function numberOf(value: Expression): Expression {
  if (value.type === 'long' || value.type === 'double') return value;
  return MAY_BE_NUMBERS.includes(value.type) ? arithmetic('*', value, literal(1n, value)) : literal(null, value);
}

export function asDouble(value: Expression): Expression {
  const double = functionNamed('double');
  if (!double) throw new Error('there is no function double');
  return value.type === 'double' ? value : call(double, [value], value);
}

const MAY_BE_NUMBERS: readonly ColumnType[] = ['any', 'string', 'null'];

interface Statistics {
  readonly by: readonly Name[];
  /** By the names of their columns. */
  readonly called: Readonly<Record<string, AggregateDeclaration | undefined>>;
  /** Those of every aggregate. */
  readonly args: readonly Expression[];
}

export function* plannedStatistics(
  { by, called, args }: Statistics,
  planning: CommandPlanning<unknown>,
): SlicedWork<Stats> {
  const keys = yield* groupKeys(by, planning);
  const { span } = planning;
  const hidden = new HiddenColumns(planning);
  // Each aggregate would compute them again.
  const read = args.map((arg) => (columnRead(arg) === undefined ? readColumn(hidden.add(arg), arg) : arg));
  const aggregates = Object.entries(called).map(([output, declaration]) => {
    if (!declaration) throw new Error(`there is no aggregate for ${output}`);
    checkArguments(declaration, read, span);
    const type = typeof declaration.result === 'function' ? declaration.result(read) : declaration.result;
    const called = { called: declaration, args: read, type, output, outputSpan: span, ...span };
    return { call: called, column: planning.newColumn(output, type) };
  });
  const columns = [...keys, ...aggregates].map(({ column }) => column);
  const [single] = columns;
  const order = keys.length > 0 ? ascending(keys) : single ? [{ column: single.id, descending: false }] : [];
  return { ...planning.planNode({ columns, order }), kind: 'stats', input: hidden.input(), by: keys, aggregates };
}
