// SQL of equality (4.2) and of the comparisons of order (4.3). With known types it is a plain comparison; for a
// constant and a value of type any the possible types are written out, so that the usual `status == 500` needs no
// local call.

import type { Value } from '#query/model/values.ts';
import { boolOfText, dateOf, numberOfText } from '#query/values/conversions.ts';
import { firstOf, toAny, toDate, toDouble } from './conversion.ts';
import { ofEachPart, partsIn } from './mixed.ts';
import { isNumberType, type MixedParts, type Sql } from './scope.ts';
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
  if (a.parts && b.isPlain && !b.parts) return equalityOfParts(left, right, writer);
  if (b.parts && a.isPlain && !a.parts) return equalityOfParts(right, left, writer);
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

/** Of the parts that may be equal to the other side: a constant of one type is often compared with one of them alone. */
function equalityOfParts({ sql: { parts = {} } }: Side, other: Side, writer: Writer): string {
  const { value } = other;
  const equal = (part: Sql) => equality({ sql: part }, other, writer);
  const tests = ofEachPart(parts, {
    number: (part) => (typeof value === 'string' ? numberEquality(part, value, writer) : equal(part)),
    string: (part) =>
      isSmall(other)
        ? `(try_cast(${part.text} as double) = ${toDouble(other.sql, writer).text} and ${equal(part)})`
        : equal(part),
    bool: equal,
    other: equal,
  }).filter((text) => text !== 'false');
  return tests.length === 0 ? 'false' : `(${tests.join(' or ')})`;
}

/** A number is equal to a text that the same number can be read from. */
function numberEquality(number: Sql, text: string, writer: Writer): string {
  const value = numberOfText(text);
  return value === null ? 'false' : numbers({ sql: number }, { sql: writer.bind(value), value }, '=', writer);
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
  if (a.parts && b.isPlain && !b.parts) return orderOfParts(a.parts, right, operator, writer);
  const typedText = comparedByType(left, right, operator, writer);
  if (typedText !== undefined) return sql(`(${typedText})`, 'bool');
  if (a.type === 'null' || b.type === 'null' || isUnordered(a) || isUnordered(b) || !mayBeEqual(a, b)) {
    return { text: UNKNOWN, type: 'bool', isPlain: true };
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

function orderOfParts(parts: MixedParts, right: Side, operator: LessOperator, writer: Writer): Sql {
  const test = (part: Sql) => order({ sql: part }, right, operator, writer).text;
  const tests = partsIn(parts).map((part) => ({ text: test(part), quick: quickTest(part, right, operator, writer) }));
  const some = tests.filter(({ text }) => text !== UNKNOWN);
  if (some.length === 0) return { text: UNKNOWN, type: 'bool', isPlain: true };
  // Only where null counts as false the parts may be tested one after the other.
  const bare = some.map(({ text, quick }) => (quick === undefined ? text : `(${quick} and ${text})`)).join(' or ');
  return { ...sql(firstOf(some.map(({ text }) => text)), 'bool'), bare: `(${bare})` };
}

/** A cheap test that holds wherever a text is a number that compares like this: most texts of a column repeat. */
function quickTest(part: Sql, right: Side, operator: LessOperator, writer: Writer): string | undefined {
  if (part.type !== 'string' || !isSmall(right)) return undefined;
  return `try_cast(${part.text} as double) ${operator} ${toDouble(right.sql, writer).text}`;
}

const UNKNOWN = 'null::boolean';

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
