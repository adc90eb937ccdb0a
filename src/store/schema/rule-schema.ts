// The tables of rules as Kysely sees them.

import type { Dated } from './schema.ts';

export interface RuleRow extends Dated {
  kind: 'batch' | 'stream';
  guid: string;
  name: string;
  enabled: number;
  priority: string;
  category_guid: string | null;
  schema_code: string | null;
  /** Of the newest version, which has the same snapshot. */
  version: number;
  snapshot: string;
  /** Start of the present schedule. */
  scheduled_since: number;
  user_guid: string;
  user_name: string;
  company_guid: string;
}

export interface RuleVersionRow {
  kind: 'batch' | 'stream';
  guid: string;
  version: number;
  name: string;
  change: 'create' | 'update' | 'restore';
  restored_from: number | null;
  comment: string | null;
  snapshot: string;
  user_guid: string;
  user_name: string;
  created_at: number;
}

export interface RuleReferenceRow {
  kind: 'batch' | 'stream';
  guid: string;
  field: string;
  /** The kind of the object, as messages call it. */
  thing: string;
  object: string;
}
