// The grants of one table, as far as a caller may know their holders: a MASTER everyone, an ADMIN its company, a MEMBER
// itself and its groups. Whom a caller may not see is neither shown to it, nor found by it, nor changed by it.

import type { Caller } from '#access/caller.ts';
import { notFound } from '#contract/errors.ts';
import { isAtLeast } from '#contract/values.ts';
import type { Grant } from '#http/json-params.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { TableGrantRow } from '#store/schema.ts';

export type HolderKind = TableGrantRow['holder_kind'];

export interface GrantView extends TableGrantRow {
  readonly name: string;
}

/** In the order of names. */
export async function listGrants(db: Db, tableId: number, caller: Caller): Promise<GrantView[]> {
  const of = async (kind: HolderKind) =>
    await holders(db, kind, caller)
      .innerJoin('table_grants', 'table_grants.holder_guid', 'holder.guid')
      .where('table_grants.table_id', '=', tableId)
      .where('table_grants.holder_kind', '=', kind)
      .selectAll('table_grants')
      .select('holder.name')
      .orderBy('holder.name')
      .orderBy('holder.guid')
      .execute();
  return [...(await of('user')), ...(await of('group'))];
}

/** Refuses when one of the holders does not exist for the caller. */
export async function requireHolders(
  db: Db,
  { kind, grants, caller }: { kind: HolderKind; grants: readonly Grant[]; caller: Caller },
): Promise<void> {
  const guids = [...new Set(grants.map(({ guid }) => guid))];
  const found = await inChunks(guids, (chunk) =>
    holders(db, kind, caller)
      .select('holder.guid')
      .where('holder.guid', 'in', [...chunk])
      .execute(),
  );
  const known = new Set(found.map(({ guid }) => guid));
  const unknown = guids.find((guid) => !known.has(guid));
  if (unknown !== undefined) throw notFound(kind === 'user' ? 'user' : 'user group', unknown);
}

export interface GrantChange {
  readonly tableId: number;
  readonly kind: HolderKind;
  readonly grants: readonly Grant[];
  readonly caller: Caller;
  readonly now: number;
}

/** Makes `grants` the table's; of two for one holder the later counts. A grant that stays keeps its moment. */
export async function setGrants(db: Db, { tableId, kind, grants, caller, now }: GrantChange): Promise<void> {
  const before = (await listGrants(db, tableId, caller)).filter(({ holder_kind }) => holder_kind === kind);
  const created = new Map(before.map(({ holder_guid, created_at }) => [holder_guid, created_at]));
  await inChunks([...created.keys()], (chunk) =>
    db
      .deleteFrom('table_grants')
      .where('table_id', '=', tableId)
      .where('holder_kind', '=', kind)
      .where('holder_guid', 'in', [...chunk])
      .execute(),
  );
  const wanted = new Map(grants.map(({ guid, readOnly }) => [guid, readOnly]));
  for (const [holder_guid, readOnly] of wanted) {
    const created_at = created.get(holder_guid) ?? now;
    const read_only = readOnly ? 1 : 0;
    await db
      .insertInto('table_grants')
      .values({ table_id: tableId, holder_kind: kind, holder_guid, read_only, created_at })
      .execute();
  }
}

/** Users or groups that a caller may see. */
function holders(db: Db, kind: HolderKind, caller: Caller) {
  const all = kind === 'user' ? db.selectFrom('users as holder') : db.selectFrom('user_groups as holder');
  // Both have the columns that are asked for below; Kysely cannot call methods of a union.
  const some = all as ReturnType<typeof db.selectFrom<'users as holder'>>;
  if (caller.role === 'MASTER') return some;
  if (isAtLeast(caller.role, 'ADMIN')) return some.where('holder.company_guid', '=', caller.companyGuid);
  if (kind === 'user') return some.where('holder.guid', '=', caller.userGuid);
  const own = db.selectFrom('user_group_members').select('group_guid').where('user_guid', '=', caller.userGuid);
  return some.where('holder.guid', 'in', own);
}
