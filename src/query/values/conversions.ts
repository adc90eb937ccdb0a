// Conversions (3.2), with one rule for all: a value that cannot be converted gives null.

import type { ArgumentType } from '#query/model/function.ts';
import { LONG_MAX, LONG_MIN, NUMBER_TEXT, type Value } from '#query/model/values.ts';
import { dateText, timeTextOf } from './dates/dates.ts';
import { compareText } from './order-text.ts';

/** `string()` of a value. */
export function textOf(value: Value, zone: string): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (value instanceof Temporal.Instant) return dateText(value, zone);
  if (value instanceof Uint8Array) return value.toBase64();
  return compactJson(value, zone);
}

/** Compact JSON text: dates and binary inside are written as `string()` writes them. */
export function compactJson(value: Value, zone: string): string {
  return written(value, zone, (map) => [...map]);
}

/** With sorted keys, so that equal maps have equal texts. */
export function sortedJson(value: Value, zone: string): string {
  return written(value, zone, (map) => [...map].sort(([left], [right]) => compareText(left, right)));
}

type Entries = (map: ReadonlyMap<string, Value>) => (readonly [string, Value])[];

function written(value: Value, zone: string, entries: Entries): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item: Value) => written(item, zone, entries)).join(',')}]`;
  if (value instanceof Map) {
    const members = entries(value).map(([key, item]) => `${JSON.stringify(key)}:${written(item, zone, entries)}`);
    return `{${members.join(',')}}`;
  }
  const text = textOf(value, zone) ?? '';
  return typeof value === 'bigint' || typeof value === 'number' ? text : JSON.stringify(text);
}

const WHOLE_TEXT = /^[+-]?\d+$/;
/** At most 19 digits after a sign and leading zeros. */
const LONG_TEXT = /^([+-]?)0*(\d{1,19})$/;

const SPACE = 0x20;

/** Trims spaces only, no other white space. */
function unspaced(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && text.charCodeAt(begin) === SPACE) begin += 1;
  while (end > begin && text.charCodeAt(end - 1) === SPACE) end -= 1;
  return end - begin === text.length ? text : text.slice(begin, end);
}

export function numberOfText(text: string): bigint | number | null {
  const trimmed = unspaced(text);
  if (!NUMBER_TEXT.test(trimmed)) return null;
  return wholeOfText(trimmed) ?? finite(Number(trimmed));
}

/** A long from text of digits; null for other text and beyond 64 bits. */
export function wholeOfText(text: string): bigint | null {
  const trimmed = unspaced(text);
  if (!WHOLE_TEXT.test(trimmed)) return null;
  const [, sign, digits] = LONG_TEXT.exec(trimmed) ?? [];
  return digits === undefined ? null : long(sign === '-' ? -BigInt(digits) : BigInt(digits));
}

export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

export const long = (value: bigint): bigint | null => (value >= LONG_MIN && value <= LONG_MAX ? value : null);

export function numberOf(value: Value): bigint | number | null {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return typeof value === 'string' ? numberOfText(value) : null;
}

/** A whole number: a double is truncated towards zero. */
export function wholeOf(value: Value): bigint | null {
  const number = numberOf(value);
  return typeof number === 'number' ? long(BigInt(Math.trunc(number))) : number;
}

export function dateOf(value: Value, zone: string): Temporal.Instant | null {
  if (value instanceof Temporal.Instant) return value;
  return typeof value === 'string' ? timeTextOf(value, zone) : null;
}

export const boolOfText = (text: string): boolean | null => (text === 'true' ? true : text === 'false' ? false : null);

type Converter = (value: Value, zone: string) => Value;

const CONVERTERS: Readonly<Record<ArgumentType, Converter>> = {
  any: (value) => value,
  string: textOf,
  number: numberOf,
  whole: wholeOf,
  date: dateOf,
  bool: (value) => (typeof value === 'boolean' ? value : typeof value === 'string' ? boolOfText(value) : null),
  list: (value) => (Array.isArray(value) ? value : null),
  map: (value) => (value instanceof Map ? value : null),
  binary: (value) => (value instanceof Uint8Array ? value : null),
};

export const converterTo = (type: ArgumentType): Converter => CONVERTERS[type];
