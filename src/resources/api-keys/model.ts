// The keys of an account. A key itself is shown once, when it is made; afterwards only its prefix is known.

import type { Caller } from '#access/caller.ts';
import { noPermission, notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { isAtLeast } from '#contract/values.ts';
import type { AccessRule } from '#http/endpoint.ts';
import { arrayOf, guidText, object, orNull, stamp, string } from '#http/shapes.ts';
import type { Db } from '#store/kysely.ts';
import type { ApiKeyRow } from '#store/schema.ts';
import { findOwner } from './store.ts';

export const apiKeyRecord = object({
  guid: guidText,
  name: string,
  prefix: string,
  created: stamp,
  expires_at: orNull(stamp),
  last_used: orNull(stamp),
  trust_hosts: arrayOf(string),
});

export function toRecord(key: ApiKeyRow, zone: string) {
  const written = (at: number | null) =>
    at === null ? null : toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  return {
    guid: key.guid,
    name: key.name,
    prefix: key.prefix,
    created: written(key.created_at),
    expires_at: written(key.expires_at),
    last_used: written(key.last_used),
    trust_hosts: JSON.parse(key.trust_hosts),
  };
}

export const ownOrAdministrator: AccessRule = {
  text: 'own account, or ADMIN; for a MASTER account MASTER',
  allows: (caller, { guid = '' }) => guid.toLowerCase() === caller.userGuid || isAtLeast(caller.role, 'ADMIN'),
};

/** The account whose keys are meant must exist where the caller looks, and be no MASTER unless the caller is one. */
export async function requireReach(db: Db, caller: Caller, userGuid: string): Promise<void> {
  const owner = await findOwner(db, userGuid);
  const isVisible = owner && (caller.role === 'MASTER' || owner.company_guid === caller.companyGuid);
  if (!isVisible) throw notFound('user', userGuid);
  const isOwn = caller.userGuid === userGuid;
  if (owner.role === 'MASTER' && caller.role !== 'MASTER' && !isOwn) throw noPermission();
}
