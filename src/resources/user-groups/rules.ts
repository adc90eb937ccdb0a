// What holds for creating and updating a user group alike.

import type { Caller } from '#access/caller.ts';
import { noPermission, notFound } from '#contract/errors.ts';
import type { Db } from '#store/kysely.ts';
import { companyExists } from './store.ts';

/** Only a MASTER puts a group into another company than its own. */
export function requireReach(caller: Caller, company: string | undefined): void {
  if (caller.role !== 'MASTER' && company !== undefined && company !== caller.companyGuid) throw noPermission();
}

export async function requireCompany(db: Db, company: string | undefined): Promise<void> {
  if (company !== undefined && !(await companyExists(db, company))) throw notFound('company', company);
}

/** The company whose users a caller may put into a group; any for a MASTER. */
export const reachOf = (caller: Caller): string | undefined =>
  caller.role === 'MASTER' ? undefined : caller.companyGuid;
