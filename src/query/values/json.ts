// Values as compact JSON text: dates and binary inside are written as `string()` writes them.

import type { Value } from '#query/model/values.ts';
import { textOf } from './conversions.ts';
import { compareText } from './order-text.ts';

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
