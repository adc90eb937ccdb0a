// The SQL of addresses.

import type { Db } from '#store/kysely.ts';
import { notExpired } from '#store/rows/addresses.ts';
import { containsKeyword, inChunks, type Page, type Paging } from '#store/rows/lists.ts';
import type { AddressRow } from '#store/schema/schema.ts';

export async function listAddresses(
  db: Db,
  wanted: Paging & { guid: string; keywords: string | undefined; now: number },
): Promise<Page<AddressRow>> {
  const matching = db
    .selectFrom('addresses')
    .where('group_guid', '=', wanted.guid)
    .where(notExpired(wanted.now))
    .where(containsKeyword('addresses', wanted.keywords));
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.orderBy('ip').orderBy('guid').limit(wanted.limit).offset(wanted.offset);
  return { total, rows: await page.selectAll().execute() };
}

/** Number of addresses by group. */
export async function countsOf(db: Db, groups: readonly string[], now: number): Promise<number[]> {
  const counted = await inChunks(groups, (some) =>
    db
      .selectFrom('addresses')
      .select((eb) => ['group_guid', eb.fn.countAll<number>().as('total')])
      .where('group_guid', 'in', [...some])
      .where(notExpired(now))
      .groupBy('group_guid')
      .execute(),
  );
  const totals = new Map(counted.map(({ group_guid, total }) => [group_guid, total]));
  return groups.map((guid) => totals.get(guid) ?? 0);
}

export async function hasAddress(db: Db, group: string, ip: string): Promise<boolean> {
  const same = db.selectFrom('addresses').select('guid').where('group_guid', '=', group).where('ip', '=', ip);
  return (await same.executeTakeFirst()) !== undefined;
}

export async function insertAddress(db: Db, address: AddressRow): Promise<void> {
  await db.insertInto('addresses').values(address).execute();
}

/** Addresses of the group among `guids`, by GUID. */
export async function findAddresses(
  db: Db,
  { group, guids, now }: { group: string; guids: readonly string[]; now: number },
): Promise<ReadonlyMap<string, string>> {
  const found = await inChunks(guids, (some) =>
    db
      .selectFrom('addresses')
      .select(['guid', 'ip'])
      .where('group_guid', '=', group)
      .where('guid', 'in', [...some])
      .where(notExpired(now))
      .execute(),
  );
  return new Map(found.map(({ guid, ip }) => [guid, ip]));
}

export async function removeAddresses(db: Db, guids: Iterable<string>): Promise<void> {
  await inChunks([...guids], (some) =>
    db
      .deleteFrom('addresses')
      .where('guid', 'in', [...some])
      .execute(),
  );
}
