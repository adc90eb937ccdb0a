// The tables of events and tickets as Kysely sees them.

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
  /** Empty for the rule itself. */
  suppress_key: string;
  count: number;
  fields: string;
  first_time: number;
  last_time: number;
  query_id: number | null;
  ticket_guid: string | null;
}

export type EventRow = Selectable<EventTable>;
export type NewEvent = Insertable<EventTable>;
