// Connection profiles as queries use them: who may use which, and their secrets opened for the moment of a connection.

import { isAtLeast, type Role } from '#contract/values.ts';
import type { Db } from '#store/kysely.ts';
import { objectGrantsOf } from '#store/rows/grants.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { ConnectionProfileRow } from '#store/schema/schema.ts';
import { headersLabel, passwordLabel } from '#vault/sealed/everything-sealed.ts';
import type { Vault } from '#vault/vault.ts';

const FAMILY = 'connection-profiles';

/** The account with whose rights a profile is used. */
interface ProfileUser {
  readonly userGuid: string;
  readonly role: Role;
}

export interface UsableProfile extends ConnectionProfileRow {
  /** Whether the account may write through it; the profile itself may forbid that. */
  readonly mayWrite: boolean;
}

/** Those of the named profiles that the account may use. */
export async function usableProfiles(db: Db, names: readonly string[], user: ProfileUser): Promise<UsableProfile[]> {
  const rows = await inChunks(names, (some) =>
    db
      .selectFrom('connection_profiles')
      .selectAll()
      .where('name', 'in', [...some])
      .execute(),
  );
  if (isAtLeast(user.role, 'ADMIN')) return rows.map((row) => ({ ...row, mayWrite: true }));
  const writable = await grantsOf(db, user);
  return rows.flatMap((row) => {
    const mayWrite = writable.get(row.guid);
    return mayWrite === undefined ? [] : [{ ...row, mayWrite }];
  });
}

export async function usableProfileNames(db: Db, user: ProfileUser): Promise<string[]> {
  const rows = await db.selectFrom('connection_profiles').select(['guid', 'name']).orderBy('name').execute();
  if (isAtLeast(user.role, 'ADMIN')) return rows.map(({ name }) => name);
  const granted = await grantsOf(db, user);
  return rows.filter(({ guid }) => granted.has(guid)).map(({ name }) => name);
}

/** Granted profiles, and whether a grant is for writing. */
async function grantsOf(db: Db, { userGuid }: ProfileUser): Promise<ReadonlyMap<string, boolean>> {
  const grants = await objectGrantsOf(db, FAMILY, userGuid).select(['object_guid', 'read_only']).execute();
  const byGuid = Map.groupBy(grants, ({ object_guid }) => object_guid);
  return new Map([...byGuid].map(([guid, some]) => [guid, some.some(({ read_only }) => read_only === 0)]));
}

/** Undefined without a password, and where the master secret does not open it. */
export function passwordOf({ guid, password_box }: ConnectionProfileRow, vault: Vault): string | undefined {
  if (password_box === null) return undefined;
  return vault.unsealed({ box: password_box, label: passwordLabel(guid) })?.toString();
}

/** Undefined where the master secret does not open them. */
export function headersOf(
  { guid, headers_box }: ConnectionProfileRow,
  vault: Vault,
): Readonly<Record<string, string>> | undefined {
  if (headers_box === null) return {};
  const text = vault.unsealed({ box: headers_box, label: headersLabel(guid) })?.toString();
  return text === undefined ? undefined : JSON.parse(text);
}
