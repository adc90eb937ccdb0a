// The record of an event, for callers and webhooks.

import { toStamp } from '#contract/times.ts';
import {
  choice,
  eitherOf,
  guidText,
  int32,
  int64,
  map,
  optional,
  orNull,
  record,
  stamp,
  string,
  type TypeOf,
} from '#http/shapes.ts';
import type { EventRow } from '#store/event-schema.ts';
import { PRIORITIES, type Priority, RULE_KINDS } from './rule-kinds.ts';

export const eventRecord = record('Event', {
  id: int64,
  guid: guidText,
  rule_type: choice(RULE_KINDS),
  rule_guid: guidText,
  rule_name: string,
  rule_version: int32,
  priority: choice(PRIORITIES),
  category_guid: optional(guidText),
  category_name: optional(string),
  msg: string,
  suppress_key: optional(string),
  count: int64,
  fields: eitherOf(map, string)('Row that raised the event; `***` where it is sealed and cannot be opened.'),
  first_time: stamp,
  last_time: stamp,
  query_id: orNull(int32),
  ticket_guid: orNull(guidText),
  created: stamp,
  updated: stamp,
});

export type EventRecord = TypeOf<typeof eventRecord>;

export function toRecord(row: EventRow, zone: string): EventRecord {
  const at = (time: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(time), zone);
  return {
    id: row.id,
    guid: row.guid,
    rule_type: row.rule_type,
    rule_guid: row.rule_guid,
    rule_name: row.rule_name,
    rule_version: row.rule_version,
    priority: row.priority as Priority, // Written from a rule, whose reader knows the set.
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
