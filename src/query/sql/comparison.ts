// SQL of equality (4.2) and of the comparisons of order (4.3). With known types it is a plain comparison; for a
// constant and a value of type any the possible types are written out, so that the usual `status == 500` needs no host
// call.

import type { Value } from '#query/model/values.ts';
import { boolOfText, dateOf, numberOfText } from '#query/values/conversions.ts';
import { toAny, toDate, toDouble } from './conversion.ts';
import { isNumberType, type Sql } from './scope.ts';
import { sql, type Writer } from './writer.ts';

/** A side of a comparison; `value` where it is a constant. */
export interface Side {
  readonly sql: Sql;
  readonly value?: Value;
}

/** Below 2^53 a double represents every long exactly, so that comparing doubles compares values. */
const EXACT = 2 ** 53;

const isSmall = ({ value }: Side): boolean =>
  (typeof value === 'bigint' || typeof value === 'number') && Math.abs(Number(value)) < EXACT;

/** True or false, and null only if a side is null; the caller turns null into false. */
export function equality(left: Side, right: Side, writer: Writer): string {
  const a = left.sql;
  const b = right.sql;
  if (a.type === 'null' || b.type === 'null') return 'false';
  const typedText = comparedByType(left, right, '=', writer);
  if (typedText !== undefined) return typedText;
  if (left.value !== undefined && right.value === undefined) return equality(right, left, writer);
  if (isSmall(right) && (a.type === 'any' || a.type === 'string')) {
    return `${toDouble(a, writer).text} = ${toDouble(b, writer).text}`;
  }
  if (a.type === 'any' && typeof right.value === 'string' && isOnlyText(right.value, writer)) {
    return `${a.text} = to_json(${b.text})`;
  }
  if (!mayBeEqual(a, b)) return 'false';
  return writer.macro('equal', [toAny(a, writer), toAny(b, writer)], writer.zone);
}

/** A text that no other type can be read from equals only the same text. */
const isOnlyText = (text: string, { scope }: Writer): boolean =>
  numberOfText(text) === null && boolOfText(text) === null && dateOf(text, scope.run.zone) === null;

function mayBeEqual(a: Sql, b: Sql): boolean {
  if (a.type === 'any' || b.type === 'any' || a.type === b.type) return true;
  const other = a.type === 'string' ? b.type : b.type === 'string' ? a.type : undefined;
  return other !== undefined && (isNumberType(other) || other === 'bool' || other === 'date');
}

type LessOperator = '<' | '<=' | '>' | '>=';

export function order(left: Side, right: Side, operator: LessOperator, writer: Writer): Sql {
  const a = left.sql;
  const b = right.sql;
  const typedText = comparedByType(left, right, operator, writer);
  if (typedText !== undefined) return sql(`(${typedText})`, 'bool');
  if (a.type === 'null' || b.type === 'null' || isUnordered(a) || isUnordered(b) || !mayBeEqual(a, b)) {
    return { text: 'null::boolean', type: 'bool', isPlain: true };
  }
  if (isSmall(right) && (a.type === 'any' || a.type === 'string')) {
    return sql(`(${toDouble(a, writer).text} ${operator} ${toDouble(b, writer).text})`, 'bool');
  }
  if (isSmall(left) && (b.type === 'any' || b.type === 'string')) {
    return sql(`(${toDouble(a, writer).text} ${operator} ${toDouble(b, writer).text})`, 'bool');
  }
  const compared = writer.macro('compare', [toAny(a, writer), toAny(b, writer)], writer.zone);
  return sql(`(${compared} ${operator} 0)`, 'bool');
}

const isUnordered = ({ type }: Sql): boolean => type === 'list' || type === 'map' || type === 'binary';

/** The comparison, if the two types alone determine it. */
function comparedByType(left: Side, right: Side, operator: '=' | LessOperator, writer: Writer): string | undefined {
  const a = left.sql;
  const b = right.sql;
  if (isNumberType(a.type) && isNumberType(b.type)) return numbers(left, right, operator, writer);
  if (a.type === b.type) {
    const isPlainType = a.type === 'string' || a.type === 'bool' || a.type === 'date';
    return isPlainType || (a.type === 'binary' && operator === '=') ? `${a.text} ${operator} ${b.text}` : undefined;
  }
  const types = [a.type, b.type];
  if (types.includes('string') && types.includes('date')) {
    return `${toDate(a, writer).text} ${operator} ${toDate(b, writer).text}`;
  }
  if (types.includes('string') && types.includes('bool')) {
    return `${toBoolText(a, writer)} ${operator} ${toBoolText(b, writer)}`;
  }
  return undefined;
}

const toBoolText = (value: Sql, writer: Writer): string =>
  value.type === 'bool'
    ? value.text
    : writer.once([value], (text) => `case ${text} when 'true' then true when 'false' then false end`);

/** Compares long and double by value: as doubles only if no digit is lost. */
function numbers(left: Side, right: Side, operator: '=' | LessOperator, writer: Writer): string {
  const a = left.sql;
  const b = right.sql;
  const isExact = a.type !== 'long' && b.type !== 'long';
  if (isExact || a.type === b.type || isSmall(left) || isSmall(right)) return `${a.text} ${operator} ${b.text}`;
  return a.type === 'long'
    ? `${writer.macro('long_double', [a, b])} ${operator} 0`
    : `0 ${operator} ${writer.macro('long_double', [b, a])}`;
}
