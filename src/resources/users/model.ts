// A user: an account with a role, in a company.

import type { Caller } from '#access/caller.ts';
import { toStamp } from '#contract/times.ts';
import { isAtLeast, LOCALES, ROLES, roleId } from '#contract/values.ts';
import { searchText } from '#kernel/text/search-text.ts';
import {
  arrayOf,
  boolean,
  choice,
  guidText,
  int32,
  optional,
  record,
  stamp,
  string,
  type TypeOf,
} from '#operations/answers/shapes.ts';
import type { UserRow } from '#store/schema/schema.ts';

/** A row with joined values. */
export interface UserView extends UserRow {
  readonly company_name: string;
  readonly has_api_key: boolean;
  readonly group_guids: readonly string[];
}

export const userRecord = record('User', {
  guid: guidText('GUID of the user.'),
  login: string('Login name, unique among users.', 'kim'),
  name: string('Name of the user.', 'Kim'),
  title: optional(string('Job title.', 'Analyst')),
  dept: optional(string('Department.', 'Security')),
  phone: optional(string('Telephone number.', '02-123-4567')),
  mobile: optional(string('Mobile telephone number.', '010-1234-5678')),
  email: optional(string('Email address.', 'kim@example.com')),
  locale: choice(LOCALES)('Language of messages and labels.'),
  time_zone: string('Time zone in which times are shown to the user.', 'Asia/Seoul'),
  role_id: int32('Number of the role.'),
  role_name: choice(ROLES)('Role of the user.'),
  company_guid: guidText('GUID of the company that the user belongs to.'),
  company_name: string('Name of that company.', 'default'),
  user_group_guids: arrayOf(guidText)('GUIDs of the user groups that the user is in.'),
  trust_hosts: arrayOf(string)('Addresses and networks that the user may call from; any where the list is empty.', [
    '10.0.0.0/8',
  ]),
  idle_timeout: int32('Seconds without a request after which a session ends.', 3600),
  has_api_key: boolean('Whether the user has an API key.'),
  created: stamp('Time when the user was created.'),
  updated: stamp('Time of the last change of the user.'),
});

const OPTIONAL_TEXTS = ['title', 'dept', 'phone', 'mobile', 'email'] as const;

export function toRecord(user: UserView, zone: string): TypeOf<typeof userRecord> {
  const texts = OPTIONAL_TEXTS.filter((field) => user[field] !== null).map((field) => [field, user[field]]);
  return {
    guid: user.guid,
    login: user.login,
    name: user.name,
    ...Object.fromEntries(texts),
    locale: user.locale,
    time_zone: user.time_zone ?? zone,
    role_id: roleId(user.role),
    role_name: user.role,
    company_guid: user.company_guid,
    company_name: user.company_name,
    user_group_guids: user.group_guids,
    trust_hosts: JSON.parse(user.trust_hosts),
    idle_timeout: user.idle_timeout,
    has_api_key: user.has_api_key,
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(user.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(user.updated_at), zone),
  };
}

export const searchOf = (user: Omit<UserRow, 'search'>): string =>
  searchText([user.login, user.name, user.title, user.dept, user.phone, user.mobile]);

/** The users that a caller may see: a MEMBER itself, an ADMIN its company, a MASTER all. */
export type UserScope = { readonly guid?: string; readonly company?: string };

export function userScopeOf(caller: Caller): UserScope {
  if (caller.role === 'MASTER') return {};
  return isAtLeast(caller.role, 'ADMIN') ? { company: caller.companyGuid } : { guid: caller.userGuid };
}
