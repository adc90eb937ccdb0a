// Rows of the local evaluator by the names of their fields.

import { type Rows, SERVICE_COLUMNS } from '#query/model/columns.ts';
import type { Value } from '#query/model/values.ts';
import { compactJson } from '#query/values/conversions.ts';
import { mapOf } from '#query/values/formats/tags.ts';
import { compareText } from '#query/values/order-text.ts';
import { overflowOf, type Row } from './row.ts';

/** In the order of columns, then those of the overflow by code point. */
export function namedFields(row: Row, { columns, overflow }: Rows): Map<string, Value> {
  const fields = new Map<string, Value>();
  for (const { id, name } of columns) if (!fields.has(name)) fields.set(name, row[id] ?? null);
  const rest = overflow ? [...(overflowOf(row, overflow) ?? [])].sort(([one], [other]) => compareText(one, other)) : [];
  for (const [name, value] of rest) if (!fields.has(name)) fields.set(name, value);
  return fields;
}

/** The JSON text of tojson: without nulls; of a field that is there twice the first counts. */
export function jsonOf(fields: Iterable<readonly [string, Value]>, zone: string): string {
  const kept = new Map<string, Value>();
  for (const [name, value] of fields) if (value !== null && !kept.has(name)) kept.set(name, value);
  return compactJson(kept, zone);
}

export const ownFields = (fields: Iterable<readonly [string, Value]>): (readonly [string, Value])[] =>
  [...fields].filter(([name]) => !SERVICE_COLUMNS.includes(name));

/** Entries of an overflow, by code point. */
export const keysOf = (overflow: Value): (readonly [string, Value])[] =>
  [...mapOf(overflow)].sort(([one], [other]) => compareText(one, other));
