// The grants on a table or object whose holders a caller may see: a MASTER sees all users, an ADMIN its company, a MEMBER itself
// and its groups. Grants of other holders are neither shown nor changed.

import type { Caller, Rightful } from '#access/caller.ts';
import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { isAtLeast } from '#contract/values.ts';
import { arrayOf, boolean, guidText, record, stamp, string, type TypeOf } from '#operations/answers/shapes.ts';
import type { Grant } from '#operations/params/json-params.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { GrantRow } from '#store/schema/schema.ts';

export type HolderKind = GrantRow['holder_kind'];

/** The object of grants: the values of its rows in the table of grants. */
interface Granted {
  readonly rows: 'table_grants' | 'object_grants';
  readonly of: Readonly<Record<string, string | number>>;
}

export const onTable = (id: number): Granted => ({ rows: 'table_grants', of: { table_id: id } });
export const onObject = (family: string, guid: string): Granted => ({
  rows: 'object_grants',
  of: { family, object_guid: guid },
});

export interface GrantView extends GrantRow {
  readonly name: string;
}

const grant = record('Grant', {
  guid: guidText('GUID of the user or user group that holds the grant.'),
  name: string('Name of the holder.', 'Operators'),
  read_only: boolean('Whether the grant is for reading alone.'),
  created: stamp('Time when the grant was given.'),
});
export const grantRecords = arrayOf(grant);

export const grantRecord = (
  { holder_guid, name, read_only, created_at }: GrantView,
  zone: string,
): TypeOf<typeof grant> => ({
  guid: holder_guid,
  name,
  read_only: read_only === 1,
  created: toStamp(Temporal.Instant.fromEpochMilliseconds(created_at), zone),
});

/** In the order of names. */
export async function listGrants(db: Db, granted: Granted, kind: HolderKind, caller: Rightful): Promise<GrantView[]> {
  const { rows, of } = granted;
  // Both tables of grants share the columns of the holder; the columns of the object are matched by name.
  let grants = holders(db, kind, caller).innerJoin(
    `${rows as 'table_grants'} as granted`,
    'granted.holder_guid',
    'holder.guid',
  );
  for (const [column, value] of Object.entries(of)) {
    grants = grants.where(`granted.${column}` as 'granted.holder_guid', '=', value as string);
  }
  return await grants
    .where('granted.holder_kind', '=', kind)
    .select(['granted.holder_kind', 'granted.holder_guid', 'granted.read_only', 'granted.created_at', 'holder.name'])
    .orderBy('holder.name')
    .orderBy('holder.guid')
    .execute();
}

/** Refuses holders that do not exist for the caller. */
export async function requireHolders(
  db: Db,
  { kind, guids, caller }: { kind: HolderKind; guids: readonly string[]; caller: Caller },
): Promise<void> {
  const distinct = [...new Set(guids)];
  const found = await inChunks(distinct, (chunk) =>
    holders(db, kind, caller)
      .select('holder.guid')
      .where('holder.guid', 'in', [...chunk])
      .execute(),
  );
  const known = new Set(found.map(({ guid }) => guid));
  const unknown = distinct.find((guid) => !known.has(guid));
  if (unknown !== undefined) throw notFound(kind === 'user' ? 'user' : 'user group', unknown);
}

interface GrantChange {
  readonly granted: Granted;
  readonly kind: HolderKind;
  readonly grants: readonly Grant[];
  readonly caller: Caller;
  readonly now: number;
}

/** Replaces the grants of the object; the last of two grants for one holder counts. A kept grant keeps its creation time. */
export async function setGrants(db: Db, { granted, kind, grants, caller, now }: GrantChange): Promise<void> {
  const before = await listGrants(db, granted, kind, caller);
  const created = new Map(before.map(({ holder_guid, created_at }) => [holder_guid, created_at]));
  const rows = granted.rows as 'table_grants'; // See above.
  await inChunks([...created.keys()], (chunk) => {
    let leaving = db.deleteFrom(rows).where('holder_kind', '=', kind);
    for (const [column, value] of Object.entries(granted.of)) {
      leaving = leaving.where(column as 'holder_guid', '=', value as string);
    }
    return leaving.where('holder_guid', 'in', [...chunk]).execute();
  });
  const wanted = new Map(grants.map(({ guid, readOnly }) => [guid, readOnly]));
  for (const [holder_guid, readOnly] of wanted) {
    const created_at = created.get(holder_guid) ?? now;
    const values = { ...granted.of, holder_kind: kind, holder_guid, read_only: readOnly ? 1 : 0, created_at };
    await db
      .insertInto(rows)
      .values(values as never)
      .execute();
  }
}

/** Users or groups that a caller may see. */
function holders(db: Db, kind: HolderKind, caller: Rightful) {
  const all = kind === 'user' ? db.selectFrom('users as holder') : db.selectFrom('user_groups as holder');
  // Both tables have the columns used below; Kysely cannot call methods of a union.
  const some = all as ReturnType<typeof db.selectFrom<'users as holder'>>;
  if (caller.role === 'MASTER') return some;
  if (isAtLeast(caller.role, 'ADMIN')) return some.where('holder.company_guid', '=', caller.companyGuid);
  if (kind === 'user') return some.where('holder.guid', '=', caller.userGuid);
  const own = db.selectFrom('user_group_members').select('group_guid').where('user_guid', '=', caller.userGuid);
  return some.where('holder.guid', 'in', own);
}
