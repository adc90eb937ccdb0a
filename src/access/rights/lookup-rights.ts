// Rights on stored lookups. Members read all that are not restricted, and restricted ones with a grant; an owner and a grant
// for writing may write, administrators everything.

import type { SelectQueryBuilder } from 'kysely';
import type { Rightful } from '#access/caller.ts';
import { isAtLeast } from '#contract/values.ts';
import type { Db } from '#store/kysely.ts';
import { grantedObjects, objectGrantsOf } from '#store/rows/grants.ts';
import type { Schema } from '#store/schema/schema.ts';

type Lookups = SelectQueryBuilder<Schema, 'lookups', object>;

const FAMILY = 'lookups';

export function visibleLookups(rows: Lookups, { role, userGuid }: Rightful, db: Db): Lookups {
  if (isAtLeast(role, 'ADMIN')) return rows;
  return rows.where((eb) =>
    eb.or([
      eb('lookups.restricted', '=', 0),
      eb('lookups.owner_guid', '=', userGuid),
      eb('lookups.guid', 'in', grantedObjects(db, FAMILY, userGuid)),
    ]),
  );
}

/** Of these visible ones, the GUIDs of those that the account may write. */
export async function writableLookups(
  db: Db,
  { role, userGuid }: Rightful,
  rows: readonly { readonly guid: string; readonly owner_guid: string }[],
): Promise<ReadonlySet<string>> {
  if (isAtLeast(role, 'ADMIN')) return new Set(rows.map(({ guid }) => guid));
  const grants = await objectGrantsOf(db, FAMILY, userGuid)
    .where('read_only', '=', 0)
    .select('object_grants.object_guid')
    .execute();
  const granted = new Set(grants.map(({ object_guid }) => object_guid));
  return new Set(
    rows.filter(({ guid, owner_guid }) => owner_guid === userGuid || granted.has(guid)).map(({ guid }) => guid),
  );
}
