// SQL of single expressions, conditions, aggregates and keys. No value and no name of a query becomes SQL text: values
// go into the `Bindings` of the statement, the plan compiler names columns, and keys of an overflow are values. An
// instance must have run `preludeStatements` and registered the local function before its first compiled statement.

import type { AggregateCall, Expression } from '#query/model/expression.ts';
import type { ColumnType } from '#query/model/values.ts';
import { aggregateSql } from './aggregates.ts';
import { equality } from './comparison.ts';
import { Compiler } from './compiler.ts';
import { asType, firstOf, toAny, toDouble } from './conversion.ts';
import type { MixedParts, Sql, SqlScope, SqlType } from './scope.ts';
import { Writer } from './writer.ts';

/** Converts to the type `as`, the type of the plan column that receives the value. */
export function expressionSql(expression: Expression, scope: SqlScope, as?: ColumnType): Sql {
  const compiler = new Compiler(scope);
  const compiled = compiler.whole(expression);
  return as ? asType(compiled, as, compiler) : compiled;
}

/** For WHERE and FILTER: true exactly if the expression is true (4.1); otherwise false or null. */
export const conditionSql = (expression: Expression, scope: SqlScope): string =>
  new Compiler(scope).condition(expression);

export const aggregateAs = (call: AggregateCall, scope: SqlScope, as: ColumnType): Sql =>
  asType(aggregateSql(call, scope), as, new Writer(scope));

/** Expressions that sort and group, in sequence, like the value by 3.4, with nulls first. */
export function sortKeys(value: Sql, scope: SqlScope): readonly string[] {
  if (!MIXED.includes(value.type)) return [value.text];
  const writer = new Writer(scope);
  if (value.parts) return sortKeysOfParts(value.parts, writer);
  const json = toAny(value, writer);
  const keys = ['rank', 'key_number', 'key_rest'].map((name) => writer.macro(name, [json]));
  return [...keys, writer.macro('key_text', [json], writer.zone)];
}

/** The same keys of each type in its own column; all its numbers are exact in doubles. */
function sortKeysOfParts({ number, string, bool, other }: MixedParts, writer: Writer): readonly string[] {
  const ofOther = (name: string) => (other ? [writer.macro(name, [other])] : []);
  const when = (part: Sql | undefined, text: string) => (part ? [`when ${part.text} is not null then ${text}`] : []);
  const ranks = [...when(bool, '1'), ...when(number, '2'), ...when(string, '4')];
  const rank = `case ${ranks.join(' ')} else ${ofOther('rank')[0] ?? '0'} end`;
  const numbers = [
    ...(number ? [toDouble(number, writer).text] : []),
    ...(bool ? [`(${bool.text})::int::double`] : []),
    ...ofOther('key_number'),
  ];
  const texts = [...(string ? [string.text] : []), ...(other ? [writer.macro('key_text', [other], writer.zone)] : [])];
  return [
    rank,
    ...(numbers.length > 0 ? [firstOf(numbers)] : []),
    ...ofOther('key_rest').map((rest) =>
      number ? `case ${when(number, '0::hugeint').join('')} else ${rest} end` : rest,
    ),
    ...(texts.length > 0 ? [firstOf(texts)] : []),
  ];
}

/** Equal exactly for values of one group (3.4); null for null. */
export function groupKey(value: Sql, scope: SqlScope): string {
  const writer = new Writer(scope);
  return MIXED.includes(value.type) ? writer.macro('group', [toAny(value, writer)], writer.zone) : value.text;
}

/**
 * Equal for all values that may be equal by 4.2, so that only rows with equal keys need a comparison. Null for null.
 */
export function equalityKey(value: Sql, scope: SqlScope): string {
  const writer = new Writer(scope);
  if (value.type === 'string') return writer.macro('text_key', [value], writer.zone);
  if (value.type === 'long' || value.type === 'number') return `vigil_double_key((${value.text})::double)`;
  return writer.macro('equal_key', [toAny(value, writer)], writer.zone);
}

/** `==` of two values (4.2), for the keys of joins and lookups; never null. */
export const equalitySql = (left: Sql, right: Sql, scope: SqlScope): string =>
  `coalesce(${equality({ sql: left }, { sql: right }, new Writer(scope))}, false)`;

/** Types in which equal values may have different representations. */
export const MIXED: readonly SqlType[] = ['any', 'list', 'map'];
