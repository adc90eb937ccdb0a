// The tables as Kysely sees them. JSON columns hold text; times are epoch milliseconds.

import type { Generated, Selectable } from 'kysely';
import type { KeyScope, Role } from '#contract/values.ts';
import type { CollectedFileTable } from './collected-schema.ts';
import type {
  AlarmTable,
  CountedRecordsTable,
  EventTable,
  TicketCommentTable,
  TicketTable,
  TicketTaskRow,
} from './event-schema.ts';
import type { RuleReferenceRow, RuleRow, RuleVersionRow } from './rule-schema.ts';
import type { FailingRow, ScheduledQueryRow, ScheduleStateRow, SlotTable } from './schedule-schema.ts';

/** Attempts or runs of one kind in a period, whose audit entry is not written yet. */
export interface CountedEntryRow {
  id: string;
  begun: number;
  until: number;
  last_run: number | null;
  /** JSON text of the entry, as far as it is known. */
  draft: string | null;
  count: number;
}

export interface Schema {
  installation: { key: string; value: string };
  companies: CompanyRow;
  users: UserRow;
  user_groups: UserGroupRow;
  user_group_members: { group_guid: string; user_guid: string };
  api_keys: ApiKeyTable;
  sessions: SessionRow;
  sign_in_codes: SignInCodeRow;
  preferences: { user_guid: string; content: string };
  repeated_queries: { guid: string; draft: string; count: number };
  counted_entries: CountedEntryRow;
  table_groups: TableGroupRow;
  connection_profiles: ConnectionProfileRow;
  crypto_profiles: CryptoProfileRow;
  log_tables: LogTableTable;
  table_grants: TableGrantRow;
  log_schemas: LogSchemaRow;
  logger_models: LoggerModelRow;
  loggers: LoggerTable;
  written_counts: { folder: string; number: number };
  collected_files: CollectedFileTable;
  logger_groups: LoggerGroupRow;
  datasets: DatasetRow;
  dashboards: DashboardRow;
  ticket_repos: NamedRow;
  rule_categories: NamedRow;
  audit_categories: NamedRow;
  address_groups: AddressGroupRow;
  addresses: AddressRow;
  alarm_groups: NamedRow;
  alarm_members: AlarmMemberRow;
  procedures: ProcedureRow;
  lookups: LookupRow;
  parsers: ParserRow;
  object_grants: ObjectGrantRow;
  upload_streams: UploadStreamTable;
  unraised_findings: UnraisedFindingRow;
  audit_texts: { id: number; text: string };
  query_ids: { next_id: number };
  query_id_blocks: { first_id: number; node: string };
  alarms: AlarmTable;
  events: EventTable;
  counted_records: CountedRecordsTable;
  tickets: TicketTable;
  ticket_comments: TicketCommentTable;
  ticket_tasks: TicketTaskRow;
  rules: RuleRow;
  rule_versions: RuleVersionRow;
  rule_references: RuleReferenceRow;
  scheduled_queries: ScheduledQueryRow;
  schedule_slots: SlotTable;
  schedule_states: ScheduleStateRow;
  failing: FailingRow;
  scheduler_leases: { lease: string; node: string; renewed_at: number };
  scheduler_mark: { alive_at: number | null };
  silence_mark: { alive_at: number | null };
}

export interface Dated {
  search: string;
  created_at: number;
  updated_at: number;
}

/** An object with a name and no columns of its own. */
export interface NamedRow extends Dated {
  guid: string;
  name: string;
  description: string | null;
}

type CompanyRow = NamedRow;

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
  /** Null is the zone of the service. */
  time_zone: string | null;
  company_guid: string;
  trust_hosts: string;
  idle_timeout: number;
}

interface UserGroupRow extends NamedRow {
  company_guid: string;
}

export interface ApiKeyTable {
  guid: string;
  user_guid: string;
  name: string;
  prefix: string;
  hash: string;
  trust_hosts: string;
  expires_at: number | null;
  last_used: number | null;
  /** Number of the implicit session; rises when that session ends. */
  session: Generated<number>;
  scope: Generated<KeyScope>;
  search: string;
  created_at: number;
}

export type ApiKeyRow = Selectable<ApiKeyTable>;

export interface SessionRow {
  guid: string;
  hash: string;
  key_guid: string;
  created_at: number;
  last_seen: number;
}

interface SignInCodeRow {
  hash: string;
  key_guid: string;
  created_at: number;
}

interface TableGroupRow extends NamedRow {
  parent_guid: string | null;
}

/** Columns of another kind are null; the boxes are sealed by the master secret. */
export interface ConnectionProfileRow extends NamedRow {
  kind: 'postgresql' | 'mysql' | 'http';
  host: string | null;
  port: number | null;
  database: string | null;
  user: string | null;
  password_box: string | null;
  zone: string | null;
  tls: 'verify' | 'require' | 'off' | null;
  url: string | null;
  headers_box: string | null;
  /** JSON: a list of names. */
  header_names: string | null;
  ca: string | null;
  writable: number;
  timeout: number;
  max_rows: number;
  max_bytes: number;
  max_connections: number;
}

interface CryptoProfileRow extends NamedRow {
  algorithm: 'aes-128-gcm' | 'aes-256-gcm';
  wrapped_key: string;
}

/** Columns of loggers and tables from which records may be expected. */
interface SourceColumns {
  /** Seconds; 0 for no expectation. */
  expect_every: Generated<number>;
  alarm_group_guid: Generated<string | null>;
  /** The last record, or the start of the expectation. */
  expected_since: Generated<number | null>;
}

/** The log engine has columns and tables of its own beside it, which it declares itself. */
export interface LogTableTable extends Dated, SourceColumns {
  id: Generated<number>;
  name: string;
  layout: 'row' | 'columnar';
  compression: 'deflate' | 'snappy';
  retention: number;
  group_guid: string | null;
  schema_code: string | null;
  crypto_profile_guid: Generated<string | null>;
  encrypted: Generated<number>;
}

export type LogTableRow = Selectable<LogTableTable>;

/** A right of a user, or of all users of a group. */
export interface GrantRow {
  holder_kind: 'user' | 'group';
  holder_guid: string;
  read_only: number;
  created_at: number;
}

interface TableGrantRow extends GrantRow {
  table_id: number;
}

/** `family` is the path of the object's family. */
interface ObjectGrantRow extends GrantRow {
  family: string;
  object_guid: string;
}

interface LogSchemaRow extends Dated {
  code: string;
  name: string;
  name_trans: string | null;
  description: string | null;
  fields: string;
}

export interface LoggerModelRow extends NamedRow {
  logger_factory_name: string;
  parser_code: string;
  parser_configs: string | null;
  rules: string | null;
}

export interface LoggerTable extends NamedRow, SourceColumns {
  id: Generated<number>;
  model_guid: string;
  table_name: string;
  group_guid: string | null;
  node: string;
  enabled: number;
  /** Milliseconds between reads. */
  interval: Generated<number>;
  cron_schedule: Generated<string | null>;
  configs: Generated<string | null>;
  /** The configuration that selected the files when they were first listed. */
  begun_with: Generated<string | null>;
  log_count: number;
  log_volume: number;
  drop_count: number;
  drop_volume: number;
  last_log_at: Generated<number | null>;
}

export type LoggerRow = Selectable<LoggerTable>;

interface LoggerGroupRow extends NamedRow {
  parent_guid: string | null;
}

export interface DatasetRow extends NamedRow {
  query: string;
  pivot: string | null;
  owner_guid: string;
  /** The account that last changed the query. */
  query_user_guid: string;
}

export interface DashboardRow extends NamedRow {
  /** As JSON. */
  layout: string;
  owner_guid: string;
}

export interface LookupRow extends NamedRow {
  key: string;
  /** Names, as JSON. */
  columns: string;
  restricted: number;
  owner_guid: string;
  row_count: number;
  /** Rises with each load. */
  version: number;
  /** Characters of all values. */
  size: number;
  /** The file of the version in the data folder; null before the first load. */
  file: string | null;
  /** Columns of the file, as JSON: name, or null where the lookup has dropped the column since, and type. */
  file_columns: string;
}

export interface ParserRow extends Dated {
  code: string;
  name: string;
  description: string | null;
  factory_name: string;
  configs: string | null;
  schema_code: string | null;
}

export interface AddressGroupRow extends NamedRow {
  /** Rises with every change of its addresses. */
  version: number;
}

export interface AddressRow extends Dated {
  guid: string;
  group_guid: string;
  /** An address or a network in canonical notation. */
  ip: string;
  description: string | null;
  hits: number;
  expires_at: number | null;
}

/** A user, or a webhook with its url and secret, which the vault seals. */
export interface AlarmMemberRow {
  group_guid: string;
  ordinal: number;
  user_guid: string | null;
  /** Keyed hash of the url; the url itself while `url_box` is null. */
  target: string | null;
  url_box: string | null;
  secret: string | null;
}

export interface ProcedureRow extends NamedRow {
  query: string;
  parameters: string | null;
  company_public: number;
  /** Whether its name is a command of the query language. */
  command: number;
  owner_guid: string;
  /** Company of the owner at creation: `company_public` grants the procedure to it. */
  company_guid: string;
}

export interface UploadStreamTable {
  id: Generated<number>;
  token: string;
  table_id: number;
  table_name: string;
  format: 'ndjson' | 'csv' | 'text';
  file_name: string;
  file_size: number;
  /** Durable bytes; the next ones are appended there. */
  uploaded_size: number;
  /** Size of those bytes in the part file. */
  stored_size: number;
  remote_addr: string;
  user_guid: string;
  login_name: string;
  company_guid: string;
  metadata: string;
  /** Of a stream whose rows are for a lookup; its table is 0 then, and has the name of the lookup. */
  lookup_guid: string | null;
  /** That holds the bytes; null for a stream of an older version without bytes. */
  node: string | null;
  /** 1 for a stream that is imported with its last byte, 0 for one that waits for the call to complete it. */
  completes_itself: number;
  /** The answer of the completion, once imported. */
  outcome: string | null;
  search: string;
  created_at: number;
  last_upload: number | null;
  /** Time at which it was opened, continued or completed; the idle timeout counts from here. */
  touched_at: number;
}

/** Findings in records that are on their way into a table, in parts; a row of a table that is gone stays until the next start. */
export interface UnraisedFindingRow {
  table_id: number;
  /** Offset that is stored together with the records. */
  source: string;
  position: number;
  /** That takes the records in. */
  node: string;
  /** From 0. */
  part: number;
  /** 1 where the content is sealed by the vault. */
  is_sealed: number;
  content: string;
}

export type UploadStreamRow = Selectable<UploadStreamTable>;
