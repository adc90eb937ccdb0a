// What the families of objects have in common, spelled out for each: the table that the conformance suite runs over.

import { CONNECTION_PROFILES } from './connection-profile-case.ts';

export interface FamilyCase {
  readonly path: string;
  readonly thing: string;
  /** As the audit trail calls it, one and many. */
  readonly labels: readonly [string, string];
  readonly singular: string;
  readonly plural: string;
  readonly key?: 'code';
  readonly readers?: 'MASTER';
  readonly writers?: 'MASTER' | 'MEMBER';
  /** The longest name, and the complaint about a longer one. */
  readonly longest: number;
  readonly tooLong?: string;
  readonly descriptionMost?: number;
  /** Keywords are not sought in the description. */
  readonly isFoundByNameAlone?: true;
  readonly hasNoDryRun?: true;
  readonly duplicated?: string;
  /** What must be given beside the name. */
  readonly least?: Readonly<Record<string, string>>;
  /** Those of them that an update ignores. */
  readonly onlyAtCreation?: readonly string[];
  /** What a record then has beside key, name and times. */
  readonly leastRead?: object;
  /** As many fields as there are, and what is read of them where one object is read. */
  readonly most?: Readonly<Record<string, string>>;
  readonly mostRead?: object;
  /** What lists leave out. */
  readonly alone?: readonly string[];
}

const less = "'name' must be less than or equal to 50 characters.";
const TABLE_GROUP =
  "'name' must be 1 to 50 characters, alphanumeric or underscore characters only, and must not start with a number";
const NO_GRANTS = { shared_users: [], shared_groups: [] };
const UNLOADED = { row_count: 0, version: 0 };
const OWNED = { owner_guid: '$master', owner_name: 'master' };
const WRITTEN = { query_user_guid: '$master', query_user_name: 'master' };
const JSON_QUERY = `json "{'n':1}" | search n >= 1`;

/** Settings that the cases need. */
export const FAMILY_FLAGS = { 'database-hosts': 'db.example.com' };

const LAYOUT = {
  columns: 6,
  span: { last: 60 },
  panels: [
    { id: 'a', title: '수', query: 'not checked', chart: 'number', x: 0, y: 0, w: 3, h: 2, options: { a: [1] } },
  ],
};

export const FAMILIES: readonly FamilyCase[] = [
  {
    path: 'dashboards',
    thing: 'dashboard',
    labels: ['dashboard', 'dashboards'],
    singular: 'dashboard',
    plural: 'dashboards',
    writers: 'MEMBER',
    longest: 255,
    least: { layout: '{}' },
    leastRead: { layout: { columns: 12, span: { last: 86400 }, panels: [] }, ...OWNED, ...NO_GRANTS },
    most: { layout: JSON.stringify(LAYOUT), shared_users: '$master' },
    mostRead: {
      layout: LAYOUT,
      ...OWNED,
      shared_groups: [],
      shared_users: [{ guid: '$master', name: 'master', read_only: true, created: '$now' }],
    },
    alone: ['shared_users', 'shared_groups'],
  },
  {
    path: 'datasets',
    thing: 'dataset',
    labels: ['dataset', 'datasets'],
    singular: 'dataset',
    plural: 'datasets',
    writers: 'MEMBER',
    longest: 255,
    least: { query: JSON_QUERY, shared_users: '[]', shared_groups: '[]' },
    leastRead: { query: JSON_QUERY, ...OWNED, ...WRITTEN, ...NO_GRANTS },
    most: { query: JSON_QUERY, pivot: '{"rows":["a"]}', shared_users: '$master', shared_groups: '[]' },
    mostRead: {
      query: JSON_QUERY,
      pivot: { rows: ['a'] },
      ...OWNED,
      ...WRITTEN,
      shared_groups: [],
      shared_users: [{ guid: '$master', name: 'master', read_only: true, created: '$now' }],
    },
    alone: ['shared_users', 'shared_groups'],
  },
  {
    path: 'ticket-repos',
    thing: 'ticket repository',
    labels: ['ticket repository', 'ticket repositories'],
    singular: 'ticket_repo',
    plural: 'ticket_repos',
    longest: 255,
    leastRead: NO_GRANTS,
    most: { shared_users: '[{"guid":"$master","read_only":false}]' },
    mostRead: {
      shared_users: [{ guid: '$master', name: 'master', read_only: false, created: '$now' }],
      shared_groups: [],
    },
    alone: ['shared_users', 'shared_groups'],
  },
  {
    path: 'address-groups',
    thing: 'address group',
    labels: ['address group', 'address groups'],
    singular: 'address_group',
    plural: 'address_groups',
    longest: 50,
    leastRead: { count: 0, version: 0 },
  },
  {
    path: 'rule-categories',
    thing: 'rule category',
    labels: ['rule category', 'rule categories'],
    singular: 'rule_category',
    plural: 'rule_categories',
    longest: 255,
  },
  {
    path: 'audit-categories',
    thing: 'audit category',
    labels: ['audit category', 'audit categories'],
    singular: 'audit_category',
    plural: 'audit_categories',
    longest: 255,
  },
  {
    path: 'alarm-groups',
    thing: 'alarm group',
    labels: ['alarm group', 'alarm groups'],
    singular: 'alarm_group',
    plural: 'alarm_groups',
    longest: 255,
    leastRead: { members: [] },
    most: { members: '[{"type":"USER","guid":"$master"}]' },
    mostRead: { members: [{ type: 'USER', guid: '$master', name: 'master' }] },
  },
  {
    path: 'logger-groups',
    thing: 'logger group',
    labels: ['logger group', 'logger groups'],
    singular: 'logger_group',
    plural: 'logger_groups',
    longest: 50,
    tooLong: less,
  },
  {
    path: 'procedures',
    thing: 'procedure',
    labels: ['procedure', 'procedures'],
    singular: 'procedure',
    plural: 'procedures',
    longest: 255,
    least: { query: JSON_QUERY },
    leastRead: {
      query: JSON_QUERY,
      parameters: [],
      company_public: false,
      ...OWNED,
      owner_login_name: 'master',
      command: false,
      granted_user_guids: [],
      granted_group_guids: [],
      granted_users: [],
      granted_groups: [],
    },
    most: {
      query: `json "{'n':1}" | search n >= $("least")`,
      parameters: '[{"key":"least","name":"Least","type":"long"}]',
      company_public: 'true',
      granted_user_guids: '$master',
    },
    mostRead: {
      query: `json "{'n':1}" | search n >= $("least")`,
      parameters: [{ key: 'least', name: 'Least', type: 'long' }],
      company_public: true,
      command: false,
      ...OWNED,
      owner_login_name: 'master',
      granted_user_guids: ['$master'],
      granted_group_guids: [],
      granted_users: [{ guid: '$master', name: 'master' }],
      granted_groups: [],
    },
    alone: ['granted_user_guids', 'granted_group_guids', 'granted_users', 'granted_groups'],
  },
  {
    path: 'lookups',
    thing: 'lookup',
    labels: ['lookup', 'lookups'],
    singular: 'lookup',
    plural: 'lookups',
    longest: 50,
    least: { key: 'user', columns: 'user,dept' },
    onlyAtCreation: ['key'],
    leastRead: { key: 'user', columns: ['user', 'dept'], restricted: false, ...UNLOADED, ...OWNED, ...NO_GRANTS },
    most: { key: 'user', columns: 'dept,user', restricted: 'true', shared_users: '$master' },
    mostRead: {
      key: 'user',
      columns: ['dept', 'user'],
      restricted: true,
      ...UNLOADED,
      ...OWNED,
      shared_groups: [],
      shared_users: [{ guid: '$master', name: 'master', read_only: true, created: '$now' }],
    },
    alone: ['shared_users', 'shared_groups'],
  },
  {
    path: 'log-schemas',
    thing: 'log schema',
    labels: ['log schema', 'log schemas'],
    singular: 'schema',
    plural: 'schemas',
    key: 'code',
    longest: 50,
    descriptionMost: 255,
    least: { fields: '[{"name":"ip","type":"IP"}]' },
    leastRead: { fields: [{ name: 'ip', type: 'IP' }] },
    most: { name_trans: '{"ko":"이름"}', fields: '[{"name":"ip","type":"IP","ordinal":1}]' },
    mostRead: { name_trans: { ko: '이름' }, fields: [{ name: 'ip', type: 'IP', ordinal: 1 }] },
  },
  {
    path: 'logger-models',
    thing: 'logger model',
    labels: ['logger model', 'logger models'],
    singular: 'logger_model',
    plural: 'logger_models',
    longest: 50,
    tooLong: less,
    duplicated: 'duplicated logger model: ',
    least: { logger_factory_name: 'http', parser_code: 'json' },
    leastRead: {
      logger_factory_name: 'http',
      logger_factory_display_name: 'HTTP push',
      parser_code: 'json',
      parser_name: 'JSON',
      rules: [],
      rule_count: 0,
    },
  },
  {
    path: 'table-groups',
    thing: 'table group',
    labels: ['table group', 'table groups'],
    singular: 'table_group',
    plural: 'table_groups',
    longest: 50,
    tooLong: TABLE_GROUP,
    duplicated: 'duplicated-name [name: ',
    hasNoDryRun: true,
  },
  {
    path: 'user-groups',
    thing: 'user group',
    labels: ['user group', 'user groups'],
    singular: 'user_group',
    plural: 'user_groups',
    longest: 200,
    hasNoDryRun: true,
    leastRead: { company_guid: '$company', company_name: 'default', user_guids: [] },
  },
  {
    path: 'companies',
    thing: 'company',
    labels: ['company', 'companies'],
    singular: 'company',
    plural: 'companies',
    readers: 'MASTER',
    writers: 'MASTER',
    longest: 200,
    isFoundByNameAlone: true,
    hasNoDryRun: true,
  },
  CONNECTION_PROFILES,
  {
    path: 'crypto-profiles',
    thing: 'crypto profile',
    labels: ['crypto profile', 'crypto profiles'],
    singular: 'profile',
    plural: 'profiles',
    readers: 'MASTER',
    writers: 'MASTER',
    longest: 255,
    isFoundByNameAlone: true,
    hasNoDryRun: true,
    leastRead: { algorithm: 'aes-256-gcm' },
  },
];
