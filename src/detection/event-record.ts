// The record of an event, for callers and webhooks.

import { toStamp } from '#contract/times.ts';
import { guidText, int32, int64, map, object, optional, orNull, stamp, string } from '#http/shapes.ts';
import type { EventRow } from '#store/event-schema.ts';

export const eventRecord = object({
  id: int64,
  guid: guidText,
  rule_type: string,
  rule_guid: guidText,
  rule_name: string,
  rule_version: int32,
  priority: string,
  category_guid: optional(guidText),
  category_name: optional(string),
  msg: string,
  suppress_key: optional(string),
  count: int64,
  fields: { anyOf: [map, string], description: '`***` where it is sealed and cannot be opened' },
  first_time: stamp,
  last_time: stamp,
  query_id: orNull(int32),
  ticket_guid: orNull(guidText),
  created: stamp,
  updated: stamp,
});

export function toRecord(row: EventRow, zone: string) {
  const at = (time: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(time), zone);
  return {
    id: row.id,
    guid: row.guid,
    rule_type: row.rule_type,
    rule_guid: row.rule_guid,
    rule_name: row.rule_name,
    rule_version: row.rule_version,
    priority: row.priority,
    ...(row.category_guid === null ? {} : { category_guid: row.category_guid }),
    ...(row.category_name === null ? {} : { category_name: row.category_name }),
    msg: row.msg,
    ...(row.suppress_key === '' ? {} : { suppress_key: row.suppress_key }),
    count: row.count,
    fields: JSON.parse(row.fields),
    first_time: at(row.first_time),
    last_time: at(row.last_time),
    query_id: row.query_id,
    ticket_guid: row.ticket_guid,
    created: at(row.created_at),
    updated: at(row.updated_at),
  };
}
