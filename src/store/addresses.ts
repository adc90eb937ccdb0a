// The addresses of groups as they are matched: by queries and by rules. One that has expired is there for nobody, whether
// or not its row has been swept away.

import type { ExpressionBuilder } from 'kysely';
import type { Db } from './kysely.ts';
import { inChunks } from './lists.ts';
import type { AddressRow, Schema } from './schema.ts';

/** A condition for `where`: the address has not expired. */
export const alive = (now: number) => (eb: ExpressionBuilder<Schema, 'addresses'>) =>
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
      .where(alive(now))
      .execute(),
  );
  const byGroup = Map.groupBy(addresses, ({ group_guid }) => group_guid);
  return new Map(existing.map(({ guid }) => [guid, (byGroup.get(guid) ?? []).map(({ ip }) => ip)]));
}

/** What a group holds, and which version of it that is at least. */
export interface KeptGroup {
  readonly version: number;
  readonly entries: readonly Pick<AddressRow, 'ip' | 'expires_at'>[];
}

/** Those groups that exist, whole. The versions are read first: what is changed meanwhile is told by a later one. */
export async function groupsWhole(
  db: Db,
  groups: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, KeptGroup>> {
  const versions = await versionsOf(db, groups);
  const addresses = await inChunks(groups, (some) =>
    db
      .selectFrom('addresses')
      .select(['group_guid', 'ip', 'expires_at'])
      .where('group_guid', 'in', [...some])
      .where(alive(now))
      .execute(),
  );
  const byGroup = Map.groupBy(addresses, ({ group_guid }) => group_guid);
  return new Map([...versions].map(([guid, version]) => [guid, { version, entries: byGroup.get(guid) ?? [] }]));
}

/** Of those groups that exist. */
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

/** Rows of those that have expired; nobody sees them any longer, but a new one may have their address. */
export async function sweep(db: Db, group: string, now: number): Promise<void> {
  await db.deleteFrom('addresses').where('group_guid', '=', group).where('expires_at', '<=', now).execute();
}

/** Gives the new one. */
export async function raiseVersion(db: Db, group: string): Promise<number> {
  const { version } = await db
    .updateTable('address_groups')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('guid', '=', group)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}
