// Shared by creation and update of a user.

import type { Caller } from '#access/caller.ts';
import { noPermission, notFound } from '#contract/errors.ts';
import type { Role } from '#contract/values.ts';
import type { Db } from '#store/kysely.ts';
import { exists } from '#store/rows/resolve.ts';
import { existingGroups } from './store.ts';

interface AssignedValues {
  readonly role: Role | undefined;
  readonly company_guid: string | undefined;
  readonly user_group_guids: readonly string[] | undefined;
}

/** Only a MASTER may assign the role MASTER or another company. */
export function requireMayAssign(caller: Caller, { role, company_guid }: AssignedValues): void {
  if (caller.role === 'MASTER') return;
  if (role === 'MASTER') throw noPermission();
  if (company_guid !== undefined && company_guid !== caller.companyGuid) throw noPermission();
}

export async function requireReferences(db: Db, caller: Caller, wished: AssignedValues): Promise<void> {
  const { company_guid, user_group_guids = [] } = wished;
  if (company_guid !== undefined && !(await exists(db, 'company', company_guid)))
    throw notFound('company', company_guid);
  const reach = caller.role === 'MASTER' ? undefined : caller.companyGuid;
  const known = await existingGroups(db, user_group_guids, reach);
  const unknown = user_group_guids.find((guid) => !known.has(guid));
  if (unknown !== undefined) throw notFound('user group', unknown);
}
