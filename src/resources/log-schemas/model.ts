// A log schema: the fields that normalised logs of one kind have.

import { toStamp } from '#contract/times.ts';
import type { InputOf } from '#http/params.ts';
import { arrayOf, int32, map, object, optional, stamp, string } from '#http/shapes.ts';
import { searchable } from '#kernel/folded.ts';
import type { LogSchemaRow } from '#store/schema.ts';
import type { fields } from './params.ts';

export const logSchemaRecord = object({
  code: string,
  name: string,
  name_trans: optional(map),
  description: optional(string),
  fields: arrayOf(
    object({
      name: string,
      display_name: optional(string),
      display_name_trans: optional(map),
      type: string,
      ordinal: optional(int32),
    }),
  ),
  created: stamp,
  updated: stamp,
});

export const keyed = object({ code: string });

export function toRecord(row: LogSchemaRow, zone: string) {
  return {
    code: row.code,
    name: row.name,
    ...(row.name_trans === null ? {} : { name_trans: JSON.parse(row.name_trans) }),
    ...(row.description === null ? {} : { description: row.description }),
    fields: JSON.parse(row.fields),
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(row.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(row.updated_at), zone),
  };
}

/** The columns that come from what was given. */
export function columnsOf(code: string, input: InputOf<typeof fields>) {
  const { name, name_trans, description = null } = input;
  return {
    name,
    name_trans: name_trans === undefined ? null : JSON.stringify(name_trans),
    description,
    // Members without a value are left out of JSON text.
    fields: JSON.stringify(input.fields),
    search: searchable([code, name, description]),
  };
}
