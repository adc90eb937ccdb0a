// Addresses of address groups as queries and rules match them. An expired address matches nothing, whether or not its
// row has been deleted yet.

import type { ExpressionBuilder } from 'kysely';
import type { Db } from '#store/kysely.ts';
import type { AddressRow, Schema } from '#store/schema/schema.ts';
import { inChunks } from './lists.ts';

/** A condition for `where`: the address has not expired. */
export const notExpired = (now: number) => (eb: ExpressionBuilder<Schema, 'addresses'>) =>
  eb.or([eb('addresses.expires_at', 'is', null), eb('addresses.expires_at', '>', now)]);

/** The addresses and networks of those groups that exist. */
export async function addressesOf(
  db: Db,
  groups: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const existing = await inChunks(groups, (some) =>
    db
      .selectFrom('address_groups')
      .select('guid')
      .where('guid', 'in', [...some])
      .execute(),
  );
  const addresses = await inChunks(groups, (some) =>
    db
      .selectFrom('addresses')
      .select(['group_guid', 'ip'])
      .where('group_guid', 'in', [...some])
      .where(notExpired(now))
      .execute(),
  );
  const byGroup = Map.groupBy(addresses, ({ group_guid }) => group_guid);
  return new Map(existing.map(({ guid }) => [guid, (byGroup.get(guid) ?? []).map(({ ip }) => ip)]));
}

/** The addresses of a group, and the oldest version that they may belong to. */
interface GroupAddresses {
  readonly version: number;
  readonly entries: readonly Pick<AddressRow, 'ip' | 'expires_at'>[];
}

/** All groups that exist, with their addresses. Versions are read first: a change made meanwhile raises the version. */
export async function groupsWithAddresses(
  db: Db,
  groups: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, GroupAddresses>> {
  const versions = await versionsOf(db, groups);
  const addresses = await inChunks(groups, (some) =>
    db
      .selectFrom('addresses')
      .select(['group_guid', 'ip', 'expires_at'])
      .where('group_guid', 'in', [...some])
      .where(notExpired(now))
      .execute(),
  );
  const byGroup = Map.groupBy(addresses, ({ group_guid }) => group_guid);
  return new Map([...versions].map(([guid, version]) => [guid, { version, entries: byGroup.get(guid) ?? [] }]));
}

/** Only groups that exist have an entry. */
export async function versionsOf(db: Db, groups: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await inChunks(groups, (some) =>
    db
      .selectFrom('address_groups')
      .select(['guid', 'version'])
      .where('guid', 'in', [...some])
      .execute(),
  );
  return new Map(rows.map(({ guid, version }) => [guid, version]));
}

/** Deletes expired rows: no query sees them, but a new row may have their address. */
export async function deleteExpired(db: Db, group: string, now: number): Promise<void> {
  await db.deleteFrom('addresses').where('group_guid', '=', group).where('expires_at', '<=', now).execute();
}

/** Returns the new version. */
export async function raiseVersion(db: Db, group: string): Promise<number> {
  const { version } = await db
    .updateTable('address_groups')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('guid', '=', group)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}
