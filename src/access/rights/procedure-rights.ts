// The procedures that an account may see, and so run. ADMIN and MASTER see all; a MEMBER sees its own, the public ones
// of its company, and those granted to it or to one of its groups.

import type { SelectQueryBuilder } from 'kysely';
import type { Rightful } from '#access/caller.ts';
import { isAtLeast } from '#contract/values.ts';
import type { Db } from '#store/kysely.ts';
import { grantedObjects } from '#store/rows/grants.ts';
import type { Schema } from '#store/schema/schema.ts';

type Procedures = SelectQueryBuilder<Schema, 'procedures', object>;

export function visibleProcedures(rows: Procedures, { role, userGuid, companyGuid }: Rightful, db: Db): Procedures {
  if (isAtLeast(role, 'ADMIN')) return rows;
  return rows.where((eb) =>
    eb.or([
      eb('procedures.owner_guid', '=', userGuid),
      eb.and([eb('procedures.company_public', '=', 1), eb('procedures.company_guid', '=', companyGuid)]),
      eb('procedures.guid', 'in', grantedObjects(db, 'procedures', userGuid)),
    ]),
  );
}
