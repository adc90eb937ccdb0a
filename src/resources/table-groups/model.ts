// A table group: a folder for tables, which may lie in another one.

import { toStamp } from '#contract/times.ts';
import { guidText, object, optional, stamp, string } from '#http/shapes.ts';
import type { TableGroupRow } from '#store/schema.ts';

export const tableGroupRecord = object({
  guid: guidText,
  name: string,
  description: optional(string),
  parent_guid: optional(guidText),
  created: stamp,
  updated: stamp,
});

export function toRecord(group: TableGroupRow, zone: string) {
  return {
    guid: group.guid,
    name: group.name,
    ...(group.description === null ? {} : { description: group.description }),
    ...(group.parent_guid === null ? {} : { parent_guid: group.parent_guid }),
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(group.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(group.updated_at), zone),
  };
}
