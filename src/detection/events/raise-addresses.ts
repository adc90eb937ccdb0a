// Adds the addresses of matches to the address group of their rule. An existing address counts further hits, and its expiry is
// extended, never shortened.

import type { GroupChange } from '#detection/stream/groups/group-cache.ts';
import type { GroupEntry } from '#detection/stream/groups/live-group.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import { addressOf, addressText } from '#query/values/addresses/addresses.ts';
import { forEachYielding } from '#runtime/event-loop.ts';
import type { Db } from '#store/kysely.ts';
import { deleteExpired, notExpired, raiseVersion } from '#store/rows/addresses.ts';
import { inChunks } from '#store/rows/lists.ts';
import { insertEach, updateEach } from '#store/rows/many.ts';
import { exists } from '#store/rows/resolve.ts';
import type { AddressRow } from '#store/schema/schema.ts';
import type { KeyedMatches } from './matches.ts';
import type { RaiseInput } from './raise-input.ts';

const MINUTE_MS = 60_000;

interface AddressesResult {
  /** The group, if it was removed. */
  readonly missing?: string;
  readonly change?: GroupChange;
}

export async function raiseAddresses(db: Db, { rule, matches, now }: RaiseInput): Promise<AddressesResult> {
  const { address_group_guid: group, address_field: field, blacklist_expire_minute: minutes } = rule.content;
  if (typeof group !== 'string' || typeof field !== 'string') return {};
  const hits = await hitsOf(matches, field);
  if (hits.size === 0) return {};
  if (!(await exists(db, 'address group', group))) return { missing: `address group ${group}` };
  await deleteExpired(db, group, now);
  const expires_at = typeof minutes === 'number' ? now + minutes * MINUTE_MS : null;
  const known = await knownOf(db, group, [...hits.keys()], now);
  const added: GroupEntry[] = known.map(({ ip, expires_at: until }) => ({ ip, expires_at: later(until, expires_at) }));
  const growth = known.map(({ guid, ip, hits: before, expires_at: until }) => {
    return { guid, hits: before + (hits.get(ip) ?? 0), expires_at: later(until, expires_at), updated_at: now };
  });
  await updateEach(db, 'addresses', 'guid', growth);
  for (const { ip } of known) hits.delete(ip);
  const fresh: AddressRow[] = [];
  await forEachYielding(hits, ([ip, count]) =>
    fresh.push({
      guid: newGuid(),
      group_guid: group,
      ip,
      description: rule.name,
      hits: count,
      expires_at,
      search: searchText([ip, rule.name]),
      created_at: now,
      updated_at: now,
    }),
  );
  await insertEach(db, 'addresses', fresh);
  const version = await raiseVersion(db, group);
  return { change: { group, version, added: [...added, ...fresh], removed: [] } };
}

/** Hits by address in normalized form. Values that are not a single address are ignored. */
async function hitsOf(matches: KeyedMatches, field: string): Promise<Map<string, number>> {
  const hits = new Map<string, number>();
  await forEachYielding([...matches.values()].flat(), ({ fields }) => {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const address = typeof value === 'string' ? addressOf(value.trim()) : null;
    if (address === null) return;
    const ip = addressText(address);
    hits.set(ip, (hits.get(ip) ?? 0) + 1);
  });
  return hits;
}

const knownOf = (db: Db, group: string, ips: readonly string[], now: number) =>
  inChunks(ips, (chunk) =>
    db
      .selectFrom('addresses')
      .select(['guid', 'ip', 'hits', 'expires_at'])
      .where('group_guid', '=', group)
      .where('ip', 'in', [...chunk])
      .where(notExpired(now))
      .execute(),
  );

const later = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);
