// The tables as Kysely sees them. JSON columns hold text; times are epoch milliseconds.

import type { Role } from '#contract/values.ts';

export interface Schema {
  installation: { key: string; value: string };
  companies: CompanyRow;
  users: UserRow;
  user_groups: UserGroupRow;
  user_group_members: { group_guid: string; user_guid: string };
  api_keys: ApiKeyRow;
  sessions: SessionRow;
  audit_texts: { id: number; text: string };
}

interface Dated {
  search: string;
  created_at: number;
  updated_at: number;
}

export interface CompanyRow extends Dated {
  guid: string;
  name: string;
  description: string | null;
}

export interface UserRow extends Dated {
  guid: string;
  login: string;
  name: string;
  role: Role;
  title: string | null;
  dept: string | null;
  phone: string | null;
  mobile: string | null;
  email: string | null;
  locale: 'en' | 'ko';
  company_guid: string;
  trust_hosts: string;
  idle_timeout: number;
}

export interface UserGroupRow extends Dated {
  guid: string;
  company_guid: string;
  name: string;
  description: string | null;
}

export interface ApiKeyRow {
  guid: string;
  user_guid: string;
  name: string;
  prefix: string;
  hash: string;
  trust_hosts: string;
  expires_at: number | null;
  last_used: number | null;
  search: string;
  created_at: number;
}

export interface SessionRow {
  guid: string;
  hash: string;
  key_guid: string;
  created_at: number;
  last_seen: number;
}
