// A company divides users, user groups and audit entries.

import { toStamp } from '#contract/times.ts';
import { guidText, object, optional, stamp, string } from '#http/shapes.ts';
import type { CompanyRow } from '#store/schema.ts';

export const companyRecord = object({
  guid: guidText,
  name: string,
  description: optional(string),
  created: stamp,
  updated: stamp,
});

export function toRecord(row: CompanyRow, zone: string) {
  return {
    guid: row.guid,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(row.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(row.updated_at), zone),
  };
}
