// The values of the language (3.1 of its reference) as the local evaluator holds them, and the names of their types.

/** The results of `typeof()`, in the order of values (3.4) except that long and double share a rank. */
const VALUE_TYPES = ['null', 'bool', 'long', 'double', 'date', 'string', 'list', 'map', 'binary'] as const;

export type ValueType = (typeof VALUE_TYPES)[number];

/** The static type of a column or an expression: `any` may hold several types. */
export type ColumnType = ValueType | 'any';

/**
 * A long is a bigint within 64 bits, a double a finite number, a date an instant in whole milliseconds. Nothing else
 * exists: no undefined, no NaN, no infinity. Strings are in NFC where they come from query text.
 */
export type Value = null | boolean | bigint | number | Temporal.Instant | string | List | MapValue | Uint8Array;

type List = readonly Value[];

/** Keys in the order in which they were written. */
export type MapValue = ReadonlyMap<string, Value>;

export const LONG_MIN = -(2n ** 63n);
export const LONG_MAX = 2n ** 63n - 1n;

export function typeOf(value: Value): ValueType {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'long';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  if (value instanceof Temporal.Instant) return 'date';
  if (value instanceof Uint8Array) return 'binary';
  return Array.isArray(value) ? 'list' : 'map';
}

/** The common type: null fits every type, two different types give `any`. */
export function unified(left: ColumnType, right: ColumnType): ColumnType {
  if (left === right || right === 'null') return left;
  return left === 'null' ? right : 'any';
}

export const isNumeric = (type: ColumnType) => type === 'long' || type === 'double';

/** Text that 3.2 converts to a number; the caller trims spaces first. */
export const NUMBER_TEXT = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Types that a parameter of a procedure may have. */
export const PROCEDURE_TYPES = ['string', 'long', 'double', 'bool', 'date'] as const;
export type ProcedureType = (typeof PROCEDURE_TYPES)[number];
