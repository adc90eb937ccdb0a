// The vocabulary of parameters: each reader turns what was given into a typed value or complains in the contract's
// words, and carries the JSON Schema that describes it. Declaration order is complaint order.

import * as refuse from '#contract/errors.ts';
import { isGuid } from '#kernel/guid.ts';
import { isAddressOrNetwork } from '#kernel/net/address.ts';
import { described } from '#operations/described.ts';
import { NumberText, type RawValue } from '#operations/requests/raw-params.ts';
import { itemsOf } from './list-items.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

declare const SENT: unique symbol;

/** `T` is what is made of a value; `W` is what a client sends, where that does not follow from `T`. */
export interface Reader<T, W = unknown> {
  readonly [SENT]?: W;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** The value is never written down or shown. */
  readonly isSecret?: boolean;
  /** What is written down of a value that holds secrets among others. */
  readonly shown?: (given: RawValue) => RawValue;
  /** Also taken from the query string, whatever the method. */
  readonly isInQuery?: boolean;
  /** Shown in the example of a call, though not required. */
  readonly isInExample?: boolean;
  /** Taken from the header of this name alone. */
  readonly isInHeader?: boolean;
  /** Text that is given for it is read as JSON. */
  readonly isJson?: boolean;
  /** A name that the reader itself brings into the form in which names are kept. */
  readonly isNamedAsSent?: boolean;
  /** `earlier` is for rules between parameters: what was read before. */
  read(given: readonly RawValue[], name: string, context: ReadContext, earlier?: Earlier): T;
}

/** What rules hold against that depend on more than what was given. */
export interface ReadContext {
  readonly now: Temporal.Instant;
  /** Items in a list of GUIDs, or of codes: the setting `guids-limit`. */
  readonly maxGuids: number;
  /** Items in any other list: the setting `body-values`. Absent where what was kept is read again. */
  readonly maxValues?: number;
  /** How many characters of JSON may still stand as text inside of JSON, which is read at once. Absent likewise. */
  readonly innerJson?: { left: number };
}

export type Earlier = Readonly<Record<string, unknown>>;

export type Params = Readonly<Record<string, Reader<unknown>>>;
export type InputOf<P extends Params> = { readonly [K in keyof P]: P[K] extends Reader<infer T> ? T : never };

export interface RequiredReader<T, W = unknown> extends Reader<T, W> {
  readonly isRequired: true;
}

export function required<T, W>(reader: Reader<T | undefined, W>, meaning?: string): RequiredReader<T, W> {
  const { schema } = withMeaning(reader, meaning);
  return {
    ...reader,
    schema: { ...notEmpty(schema), ...schema },
    isRequired: true,
    read(given, name, context, earlier) {
      const value = reader.read(given, name, context, earlier);
      if (value === undefined || (Array.isArray(value) && value.length === 0)) throw refuse.missing(name);
      return value;
    },
  };
}

/** An empty text or list counts as missing. */
function notEmpty({ type, format, enum: values }: JsonSchema): JsonSchema {
  if (type === 'array') return { minItems: 1 };
  return type === 'string' && format === undefined && values === undefined ? { minLength: 1 } : {};
}

export function orElse<T, W>(reader: Reader<T | undefined, W>, value: T, meaning?: string): Reader<T, W> {
  const { schema } = withMeaning(reader, meaning);
  return {
    ...reader,
    schema: { ...schema, default: value },
    read: (given, name, context, earlier) => reader.read(given, name, context, earlier) ?? value,
  };
}

const withMeaning = <R extends Reader<unknown>>(reader: R, meaning: string | undefined): R =>
  meaning === undefined ? reader : described(reader, meaning);

/** A rule between a parameter and those declared before it. */
export function alongside<T, W>(
  reader: RequiredReader<T, W>,
  check: (value: T, earlier: Earlier) => void,
): RequiredReader<T, W>;
export function alongside<T, W>(reader: Reader<T, W>, check: (value: T, earlier: Earlier) => void): Reader<T, W>;
export function alongside<T, W>(reader: Reader<T, W>, check: (value: T, earlier: Earlier) => void): Reader<T, W> {
  return {
    ...reader,
    read(given, name, context, earlier = {}) {
      const value = reader.read(given, name, context, earlier);
      check(value, earlier);
      return value;
    },
  };
}

export const inHeader = <R extends Reader<unknown>>(reader: R): R => ({ ...reader, isInHeader: true });

export const secret = <R extends Reader<unknown>>(reader: R): R => ({ ...reader, isSecret: true });

/** Text of at most `most` Unicode code points. */
export const text = (most: number, complaint = refuse.tooLong): Reader<string | undefined> =>
  single({ type: 'string', maxLength: most }, (given, name) => {
    if (typeof given !== 'string') throw refuse.notText(name);
    if (isLongerThan(given, most)) throw complaint(name, most);
    return given;
  });

/** Text of any length: what limits it is the size of the request. */
export const anyText = single({ type: 'string' }, (given, name) => {
  if (typeof given !== 'string') throw refuse.notText(name);
  return given;
});

/** Text that must satisfy `pattern` after its length; the complaint shows the value. */
export function textLike(most: number, pattern: RegExp, complaint: (value: string) => refuse.ApiError) {
  const plain = text(most);
  return meaning(plain, { pattern: pattern.source }, (value) => {
    if (!pattern.test(value)) throw complaint(value);
    return value;
  });
}

export const guid = single({ type: 'string', format: 'uuid' }, oneGuid);

/** What makes `guids-limit` hold for a list. */
const LIMITED = { $comment: 'At most as many items as the setting `guids-limit` allows.' };

export const guids = list({ type: 'string', format: 'uuid' }, oneGuid, LIMITED);

export const words = list({ type: 'string' }, oneWord);

/** Keys of things that have a code in place of a guid. */
export const codes = list({ type: 'string' }, oneWord, LIMITED);

export const addresses = list({ type: 'string', $comment: 'An IP address or network.' }, (given) => {
  if (typeof given === 'string' && isAddressOrNetwork(given)) return given;
  throw refuse.wrongAddress(given instanceof NumberText ? given.digits : textOf(given));
});

export const flag = single({ type: 'boolean' }, (given, name) => {
  // The longest of them has five letters: nothing longer is brought into lower case.
  const word = typeof given === 'string' && given.length <= 5 ? given.toLowerCase() : given;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  throw refuse.notBoolean(name);
});

export function oneOf<const V extends readonly string[]>(
  values: V,
  complaint: (name: string, values: readonly string[]) => refuse.ApiError = refuse.notOneOf,
): Reader<V[number] | undefined> {
  return single({ type: 'string', enum: values }, (given, name) => {
    const value = values.find((candidate) => candidate === given);
    if (value === undefined) throw complaint(name, values);
    return value;
  });
}

const MAX_INT = 2_147_483_647n;
const MAX_LONG = 9_223_372_036_854_775_807n;

/** A 32-bit integer between `least` and `most`, by default any that is not negative. */
export const int = (least = 0n, most = MAX_INT): Reader<number | undefined> =>
  integer({ least, most, format: 'int32', complaint: refuse.notInt });

/** A 64-bit integer that is not negative. What no number can hold exactly is cut down to the largest one that can. */
export const long = integer({ least: 0n, most: undefined, format: 'int64', complaint: refuse.notLong });

/** Offset and limit of a query's rows: a 64-bit integer with complaints of its own. */
export const rowNumber = integer({
  least: 0n,
  most: undefined,
  format: 'int64',
  complaint: refuse.notLongNumber,
  tooSmall: refuse.negative,
});

export const inQuery = <R extends Reader<unknown>>(reader: R): R => ({ ...reader, isInQuery: true });

/** Of every list that can be searched. */
export const keywords = described(anyText, 'Text that a match contains, in capital or small letters.');

/** Paging, as every list takes it. */
export const paging = {
  offset: orElse(int(), 0, 'Number of matches before the page.'),
  limit: orElse(int(), Number(MAX_INT), 'Largest number of matches on the page.'),
};

interface IntegerRule {
  readonly least: bigint;
  /** Undefined: what is beyond 64 bits is no integer of the type at all. */
  readonly most: bigint | undefined;
  readonly format: string;
  complaint(name: string): refuse.ApiError;
  tooSmall?(name: string, least: bigint): refuse.ApiError;
}

function integer({
  least,
  most,
  format,
  complaint,
  tooSmall = refuse.tooSmall,
}: IntegerRule): Reader<number | undefined> {
  const schema = { type: 'integer', format, minimum: Number(least), ...(most ? { maximum: Number(most) } : {}) };
  return single(schema, (given, name) => {
    const digits = given instanceof NumberText ? given.digits : given;
    if (typeof digits !== 'string' || !/^-?\d+$/.test(digits)) throw complaint(name);
    // Forty digits are beyond every range; reading millions of them would only take time.
    const value = BigInt(digits.replace(/^(-?)0+(?=\d)/, '$1').slice(0, 40));
    if (most === undefined && (value > MAX_LONG || value < -MAX_LONG - 1n)) throw complaint(name);
    if (value < least) throw tooSmall(name, least);
    if (most !== undefined && value > most) throw refuse.tooLarge(name, most);
    return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  });
}

/** A parameter that is given at most once. */
export function single<T>(
  schema: JsonSchema,
  parse: (given: RawValue, name: string, context: ReadContext) => T,
): Reader<T | undefined> {
  return {
    schema,
    isRequired: false,
    read([given, ...further], name, context) {
      if (further.length > 0) throw refuse.givenTwice(name);
      return given === undefined || given === '' ? undefined : parse(given, name, context);
    },
  };
}

/** Items separated by commas, a JSON array, or a repeated name. A form cannot say «none»; the JSON array [] does. */
export function list<T>(
  items: JsonSchema,
  parse: (given: RawValue, name: string) => T,
  limit?: typeof LIMITED,
): Reader<T[] | undefined> {
  return {
    schema: { type: 'array', items, ...limit },
    isRequired: false,
    read(given, name, { maxGuids, maxValues = Number.POSITIVE_INFINITY }) {
      const found = itemsOf(given, limit ? maxGuids : maxValues);
      if (!found) throw limit ? refuse.tooManyItems(name, maxGuids) : refuse.tooManyValues(maxValues);
      const isEmptyArray = given.length === 1 && Array.isArray(given[0]) && given[0].length === 0;
      return found.length === 0 && !isEmptyArray ? undefined : found.map((item) => parse(item, name));
    },
  };
}

const textOf = (given: RawValue) => (typeof given === 'string' ? given : JSON.stringify(given));

function oneWord(given: RawValue, name: string): string {
  if (given instanceof NumberText) return given.digits;
  if (typeof given !== 'string') throw refuse.notText(name);
  return given;
}

function oneGuid(given: RawValue, name: string): string {
  if (typeof given !== 'string' || !isGuid(given)) throw refuse.notGuid(name);
  return given.toLowerCase();
}

export function meaning<T, W>(
  reader: Reader<T | undefined, W>,
  schema: JsonSchema,
  check: (value: T, name: string, context: ReadContext) => T,
): Reader<T | undefined, W> {
  return {
    ...reader,
    schema: { ...reader.schema, ...schema },
    read(given, name, context, earlier) {
      const value = reader.read(given, name, context, earlier);
      return value === undefined ? undefined : check(value, name, context);
    },
  };
}

/** Counts code points only where it matters. */
function isLongerThan(value: string, most: number): boolean {
  if (value.length <= most) return false;
  if (value.length > 2 * most) return true;
  return [...value].length > most;
}
