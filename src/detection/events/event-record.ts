// The record of an event, for callers and webhooks.

import { toStamp } from '#contract/times.ts';
import { EVENT_STATUSES, PRIORITIES, type Priority, RULE_KINDS } from '#detection/rules/rule-kinds.ts';
import { parseJson } from '#kernel/json/parse-json.ts';
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
} from '#operations/answers/shapes.ts';
import type { EventRow } from '#store/schema/event-schema.ts';

export const eventRecord = record('Event', {
  id: int64('Number of the event.', 42),
  guid: guidText('GUID of the event.'),
  rule_type: choice(RULE_KINDS)('Kind of the rule.'),
  rule_guid: guidText('GUID of the rule.'),
  rule_name: string('Name of the rule.', 'Failed logins'),
  rule_version: int32('Version of the rule that matched.'),
  priority: choice(PRIORITIES)('Priority of the rule.'),
  category_guid: optional(guidText('GUID of the rule category; absent where the rule has none.')),
  category_name: optional(string('Name of the rule category; absent where the rule has none.', 'Accounts')),
  msg: string('Text of the event.', '10 failed logins of kim'),
  suppress_key: optional(string('Key by which matches are joined; absent where the rule has none.', 'kim')),
  count: int64(
    'Number of matches that the event joins; a record that several runs of a rule with `duration` read is one.',
    10,
  ),
  fields: eitherOf(map, string)('Row that raised the event; `***` where it is sealed and cannot be opened.'),
  first_time: stamp('Time of the first match.'),
  last_time: stamp('Time of the last match.'),
  query_id: orNull(int32)('Id of the query that found the first match; null for a stream rule.'),
  ticket_guid: orNull(guidText)('GUID of the ticket that joins the event; null where there is none.'),
  status: choice(EVENT_STATUSES)('How far the event has been looked at.'),
  status_reason: orNull(string)('Reason of the status; null where none was given.', 'Test of the backup account.'),
  status_user: orNull(string)('Login of the account that set the status; null until it is set.', 'kim'),
  status_time: orNull(stamp)('Time when the status was set; null until then.'),
  created: stamp('Time when the event was created.'),
  updated: stamp('Time of the last change of the event.'),
});

type EventRecord = TypeOf<typeof eventRecord>;

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
    fields: parseJson(row.fields),
    first_time: at(row.first_time),
    last_time: at(row.last_time),
    query_id: row.query_id,
    ticket_guid: row.ticket_guid,
    status: row.status,
    status_reason: row.status_reason,
    status_user: row.status_user,
    status_time: row.status_time === null ? null : at(row.status_time),
    created: at(row.created_at),
    updated: at(row.updated_at),
  };
}
