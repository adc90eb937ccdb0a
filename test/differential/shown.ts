// Values and rows as text of queries, so that what went wrong can be pasted.

import { quoted } from '#query/language/strings.ts';
import type { Value } from '#query/model/values.ts';

/** An expression that gives the value. */
export function literalText(value: Value): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return doubleText(value);
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Temporal.Instant) return `date("${value.toString({ fractionalSecondDigits: 3 })}")`;
  if (value instanceof Uint8Array) return `fromhex("${value.toHex()}")`;
  if (Array.isArray(value)) {
    return value.length === 0 ? 'subarray(array(1), 1)' : `array(${value.map(literalText).join(', ')})`;
  }
  if (!(value instanceof Map)) throw new Error('no value of the language');
  const pairs = [...value].map(([key, item]) => `${quoted(key)}, ${literalText(item)}`);
  return `dict(${pairs.length === 0 ? 'null, 1' : pairs.join(', ')})`;
}

function doubleText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text.replace('e+', 'e') : `${text}.0`;
}

type Row = ReadonlyMap<string, Value>;

/** Rows one after the other; their order is that of a table that was read. */
export function rowsText(rows: readonly Row[]): string {
  if (rows.length === 0) return 'json "[]"';
  const numbers = rows.map((_, at) => `{row:${at}}`).join(',');
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const cells = names.map((name) => {
    const cases = rows.flatMap((row, at) =>
      row.has(name) ? [`row == ${at}, ${literalText(row.get(name) ?? null)}`] : [],
    );
    return `field(${quoted(name)}) = case(${cases.join(', ')})`;
  });
  return `json "[${numbers}]" | eval ${cells.join(', ')}`;
}

/** Rows as the driver json takes them; values that JSON has no word for are left out. */
export const jsonText = (rows: readonly Row[]): string => `json ${quoted(`[${rows.map(jsonObject).join(',')}]`)}`;

/** Without values that JSON has no word for. */
export function jsonObject(row: Row): string {
  const members = [...row].flatMap(([name, value]) =>
    isOfJson(value) ? [`${JSON.stringify(name)}:${json(value)}`] : [],
  );
  return `{${members.join(',')}}`;
}

function isOfJson(value: Value): boolean {
  if (Array.isArray(value)) return value.every(isOfJson);
  if (value instanceof Map) return [...value.values()].every(isOfJson);
  return !(value instanceof Temporal.Instant || value instanceof Uint8Array);
}

function json(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${json(item)}`).join(',')}}`;
  if (typeof value === 'number') return doubleText(value);
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
