// The tables of events, tickets and alarms as Kysely sees them.

import type { Generated, Insertable, Selectable } from 'kysely';
import type { Dated } from './schema.ts';

export interface EventTable extends Dated {
  id: Generated<number>;
  guid: string;
  rule_type: 'batch' | 'stream';
  rule_guid: string;
  rule_name: string;
  rule_version: number;
  priority: string;
  category_guid: string | null;
  category_name: string | null;
  msg: string;
  /** Empty for the rule itself; a keyed hash where it is sealed. */
  suppress_key: string;
  count: number;
  fields: string;
  first_time: number;
  last_time: number;
  query_id: number | null;
  ticket_guid: string | null;
  /** Sealed msg, suppress_key and fields of an event from an encrypted table; those columns are blank then. */
  sealed: string | null;
  status: Generated<'new' | 'seen' | 'closed' | 'false-positive'>;
  /** Null until a status is set; the account by its login. */
  status_reason: Generated<string | null>;
  status_user: Generated<string | null>;
  status_time: Generated<number | null>;
}

export type EventRow = Selectable<EventTable>;
export type NewEvent = Insertable<EventTable>;

/** Records that an event has counted in one run. */
export interface CountedRecordsTable {
  id: Generated<number>;
  event_guid: string;
  rule_guid: string;
  /** Epoch milliseconds. */
  expires_at: number;
  /** Number of records. */
  size: number;
  /** Their hashes as doubles. */
  records: Uint8Array;
}

export interface TicketTable extends Dated {
  id: Generated<number>;
  guid: string;
  repo_guid: string;
  title: string;
  priority: number;
  status: 'NEW' | 'ASSIGNED' | 'IN_PROGRESS' | 'SUBMITTED' | 'REJECTED' | 'APPROVED' | 'CLOSED';
  format: 'JSON' | 'MARKDOWN' | 'PLAIN';
  content: string | null;
  /** Events added to the ticket. */
  count: number;
  attack: number;
  incident: number;
  /**
   * The rule that raised the ticket, the key it was raised for, and the start of its first event; null for a ticket
   * made by a person.
   */
  rule_type: EventTable['rule_type'] | null;
  rule_guid: string | null;
  suppress_key: string | null;
  event_time: number | null;
  /** Sealed title and content of a ticket from an encrypted table. */
  sealed: string | null;
  closed_at: number | null;
}

export type TicketRow = Selectable<TicketTable>;
export type NewTicket = Insertable<TicketTable>;

/** A task of a user on a ticket. */
export interface TicketTaskRow {
  ticket_guid: string;
  task_type: 'ASSIGNEE' | 'APPROVER';
  ordinal: number;
  user_guid: string;
  task_status: 'ASSIGNED' | 'IN_PROGRESS' | 'CLOSED' | 'APPROVED' | 'REJECTED';
}

export interface TicketCommentTable {
  id: Generated<number>;
  guid: string;
  ticket_guid: string;
  user_guid: string;
  content: string;
  created_at: number;
}

export type TicketCommentRow = Selectable<TicketCommentTable>;

/** An event or a failure to be delivered to a webhook. */
export interface AlarmTable {
  id: Generated<number>;
  /** Empty for a failure. */
  event_guid: string;
  /** JSON of a failure; null for an event. */
  failure: Generated<string | null>;
  /** What fails, or has failed; null for an event. */
  subject: Generated<string | null>;
  group_guid: string;
  /** `target` of the webhook among the members of the group. */
  target: string;
  /** Delivery attempts begun. */
  tries: number;
  /** Time of the next attempt. */
  due_at: number;
}

export type AlarmRow = Selectable<AlarmTable>;
