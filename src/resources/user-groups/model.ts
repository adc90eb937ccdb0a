// A user group: users of one company that share grants.

import type { Caller } from '#access/caller.ts';
import { toStamp } from '#contract/times.ts';
import { isAtLeast } from '#contract/values.ts';
import { arrayOf, guidText, object, optional, stamp, string } from '#http/shapes.ts';
import type { UserGroupRow } from '#store/schema.ts';

/** A row with what is looked up for it. */
export interface UserGroupView extends UserGroupRow {
  readonly company_name: string;
  readonly user_guids: readonly string[];
}

export const userGroupRecord = object({
  guid: guidText,
  name: string,
  description: optional(string),
  company_guid: guidText,
  company_name: string,
  user_guids: arrayOf(guidText),
  created: stamp,
  updated: stamp,
});

export function toRecord(group: UserGroupView, zone: string) {
  return {
    guid: group.guid,
    name: group.name,
    ...(group.description === null ? {} : { description: group.description }),
    company_guid: group.company_guid,
    company_name: group.company_name,
    user_guids: group.user_guids,
    created: toStamp(Temporal.Instant.fromEpochMilliseconds(group.created_at), zone),
    updated: toStamp(Temporal.Instant.fromEpochMilliseconds(group.updated_at), zone),
  };
}

/** Which groups a caller may see: a MEMBER its own, an ADMIN those of its company, a MASTER all. */
export type Sight = { readonly member?: string; readonly company?: string };

export function sightOf(caller: Caller): Sight {
  if (caller.role === 'MASTER') return {};
  return isAtLeast(caller.role, 'ADMIN') ? { company: caller.companyGuid } : { member: caller.userGuid };
}
