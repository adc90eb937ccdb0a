// The keys of an account. A key is shown once, at creation; afterwards only its prefix is known.

import type { Caller } from '#access/caller.ts';
import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { isAtLeast, KEY_SCOPES } from '#contract/values.ts';
import { arrayOf, choice, guidText, orNull, record, stamp, string, type TypeOf } from '#operations/answers/shapes.ts';
import type { AccessRule } from '#operations/endpoint.ts';
import type { Db } from '#store/kysely.ts';
import type { ApiKeyRow } from '#store/schema/schema.ts';
import { findOwner } from './store.ts';

export const apiKeyRecord = record('ApiKey', {
  guid: guidText('GUID of the API key.'),
  name: string('Name of the API key.', 'laptop'),
  prefix: string('First characters of the key.', 'vgl_Xk3a9Q'),
  scope: choice(KEY_SCOPES)('What the key may do: `all` that its account may, or only `push` logs.'),
  created: stamp('Time when the key was created.'),
  expires_at: orNull(stamp)('Time when the key expires; null where it does not.'),
  last_used: orNull(stamp)('Time of the last request with the key; null before it.'),
  trust_hosts: arrayOf(string)('Addresses and networks that the key may be used from; any where the list is empty.', [
    '10.0.0.0/8',
  ]),
});

export function toRecord(key: ApiKeyRow, zone: string): TypeOf<typeof apiKeyRecord> {
  const stampOf = (at: number) => toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);
  const written = (at: number | null) => (at === null ? null : stampOf(at));
  return {
    guid: key.guid,
    name: key.name,
    prefix: key.prefix,
    scope: key.scope,
    created: stampOf(key.created_at),
    expires_at: written(key.expires_at),
    last_used: written(key.last_used),
    trust_hosts: JSON.parse(key.trust_hosts),
  };
}

/** The account of the keys, if the caller may see it. */
async function visibleOwner(db: Db, caller: Caller, guid: string) {
  const owner = await findOwner(db, guid);
  const isVisible = caller.role === 'MASTER' || owner?.company_guid === caller.companyGuid;
  return isVisible ? owner : undefined;
}

export const ownOrAdministrator: AccessRule = {
  text: 'own account, or ADMIN; for a MASTER account MASTER',
  async allows(caller, { guid = '' }, store) {
    const wanted = guid.toLowerCase();
    if (wanted === caller.userGuid || caller.role === 'MASTER') return true;
    if (!isAtLeast(caller.role, 'ADMIN')) return false;
    const owner = await store.read((db) => visibleOwner(db, caller, wanted));
    return owner?.role !== 'MASTER';
  },
};

export async function requireOwner(db: Db, caller: Caller, guid: string): Promise<void> {
  if (!(await visibleOwner(db, caller, guid))) throw notFound('user', guid);
}
