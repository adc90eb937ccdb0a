// Values of PostgreSQL in its text format, by the numbers of their types, and back.

import { dateOf, decimalOf, jsonOf, wholeOf } from '#connections/databases/database-values.ts';
import { typeOf, type Value } from '#query/model/values.ts';
import { compactJson, finite, textOf } from '#query/values/conversions.ts';

const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const FLOAT8 = 701;
const TIMESTAMPTZ = 1184;
const BIT = 1560;
/** The server finds the type that the place of the value needs. */
const UNKNOWN = 0;

const WHOLE = new Set([INT8, 21, 23, 26]);
const FLOATING = new Set([700, FLOAT8]);
const NUMERIC = 1700;
const DATES = new Set([1082, 1114, TIMESTAMPTZ]);
const JSONS = new Set([114, 3802]);

/** Types of elements by the types of their arrays; arrays of other types are texts. */
const ELEMENTS: ReadonlyMap<number, number> = new Map([
  [1000, BOOL],
  [1001, BYTEA],
  [1002, 18],
  [1003, 19],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1014, 1042],
  [1015, 1043],
  [1016, INT8],
  [1021, 700],
  [1022, FLOAT8],
  [1028, 26],
  [1041, 869],
  [1115, 1114],
  [1182, 1082],
  [1183, 1083],
  [1185, TIMESTAMPTZ],
  [1187, 1186],
  [1231, NUMERIC],
  [199, 114],
  [2951, 2950],
  [3807, 3802],
  [651, 650],
]);

export interface PostgresField {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export function languageValue(text: string | null, field: Omit<PostgresField, 'name'>, zone: string): Value {
  const { dataTypeID: type, dataTypeModifier } = field;
  if (text === null) return null;
  if (WHOLE.has(type)) return wholeOf(text);
  if (FLOATING.has(type)) return finite(Number(text));
  if (type === NUMERIC) return decimalOf(text);
  if (type === BOOL) return text === 't';
  if (type === BIT && dataTypeModifier === 1) return text === '1';
  if (DATES.has(type)) return dateOf(text, zone);
  if (JSONS.has(type)) return jsonOf(text);
  if (type === BYTEA) return bytesOf(text);
  const element = ELEMENTS.get(type);
  return element === undefined ? text : (arrayOf(text, (item) => elementOf(item, element, zone)) ?? text);
}

const elementOf = (text: string | null, type: number, zone: string): Value =>
  languageValue(text, { dataTypeID: type, dataTypeModifier: -1 }, zone);

function bytesOf(text: string): Value {
  try {
    return text.startsWith('\\x') ? Uint8Array.fromHex(text.slice(2)) : text;
  } catch {
    return text;
  }
}

const MAX_DIMENSIONS = 6;
const UNQUOTED = /[^,{}"\\]+/y;

/** Undefined where the text is none. Bounds such as `[0:2]=` are left out. */
function arrayOf(text: string, value: (item: string | null) => Value): Value[] | undefined {
  const levels: Value[][] = [];
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  for (; at < text.length; at += 1) {
    const here = text.charAt(at);
    const list = levels.at(-1);
    if (here === '{') {
      if (levels.length === MAX_DIMENSIONS) return undefined;
      levels.push([]);
    } else if (!list) return undefined;
    else if (here === '}') {
      levels.pop();
      const above = levels.at(-1);
      if (!above) return at === text.length - 1 ? list : undefined;
      above.push(list);
    } else if (here === '"') {
      const { item, end } = quotedItem(text, at);
      list.push(value(item));
      at = end;
    } else if (here !== ',') {
      UNQUOTED.lastIndex = at;
      const item = UNQUOTED.exec(text)?.[0];
      if (item === undefined) return undefined;
      list.push(value(item === 'NULL' ? null : item));
      at += item.length - 1;
    }
  }
  return undefined;
}

function quotedItem(text: string, from: number): { readonly item: string; readonly end: number } {
  const parts: string[] = [];
  let begin = from + 1;
  let at = from + 1;
  for (; at < text.length && text.charAt(at) !== '"'; at += 1) {
    if (text.charAt(at) !== '\\') continue;
    parts.push(text.slice(begin, at));
    begin = at + 1;
    at += 1;
  }
  return { item: parts.join('') + text.slice(begin, at), end: at };
}

/** A value with the number of its type, in text format. */
export interface BoundValue {
  readonly text: string | null;
  readonly type: number;
}

/** Types of arrays by the types of all their elements. */
const ARRAYS: Readonly<Record<string, number>> = { bool: 1000, long: 1016, double: 1022, date: 1185, binary: 1001 };
const TEXT_ARRAY = 1009;

export function boundValue(value: Value, zone: string): BoundValue {
  if (value === null) return { text: null, type: UNKNOWN };
  if (typeof value === 'boolean') return { text: String(value), type: BOOL };
  if (typeof value === 'bigint') return { text: String(value), type: INT8 };
  if (typeof value === 'number') return { text: String(value), type: FLOAT8 };
  if (value instanceof Temporal.Instant) return { text: value.toString(), type: TIMESTAMPTZ };
  if (value instanceof Uint8Array) return { text: `\\x${value.toHex()}`, type: BYTEA };
  if (typeof value === 'string') return { text: value, type: UNKNOWN };
  if (Array.isArray(value)) return boundArray(value, zone);
  return { text: compactJson(value, zone), type: UNKNOWN };
}

function boundArray(list: readonly Value[], zone: string): BoundValue {
  const types = new Set(list.filter((item) => item !== null).map((item) => typeOf(item)));
  const [only] = types;
  const isNumeric = types.size === 2 && types.has('long') && types.has('double');
  const type = (types.size === 1 && only ? ARRAYS[only] : isNumeric ? ARRAYS.double : undefined) ?? TEXT_ARRAY;
  const items = list.map((item) => {
    const text = type === TEXT_ARRAY ? textOf(item, zone) : boundValue(item, zone).text;
    return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`;
  });
  return { text: `{${items.join(',')}}`, type };
}
