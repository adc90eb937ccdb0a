// POST /user-groups

import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { newGuid } from '#kernel/guid.ts';
import { isTaken } from '#store/lists.ts';
import { fields } from './params.ts';
import { reachOf, requireCompany, requireReach } from './rules.ts';
import { insertGroup, setUsers } from './store.ts';

export const create = endpoint({
  title: 'Create user group',
  notes: 'Unknown users are left out. Only a MASTER names another company than its own.',
  method: 'POST',
  path: '/api/core/user-groups',
  access: 'ADMIN',
  audit: 'user-groups.create',
  params: { guid, ...fields },
  answer: created,

  async run(input, { db, caller, clock }: Call & { clock: Clock }) {
    const { guid = newGuid(), name, description = null, user_guids = [] } = input;
    requireReach(caller, input.company_guid);
    const company_guid = input.company_guid ?? caller.companyGuid;
    if (await isTaken(db, 'user_groups', { company_guid, name })) throw duplicatedName(name);
    if (await isTaken(db, 'user_groups', { guid })) throw duplicatedGuid(guid);
    await requireCompany(db, input.company_guid);
    const now = clock.now().epochMilliseconds;
    const search = searchable([name, description]);
    await insertGroup(db, { guid, company_guid, name, description, search, created_at: now, updated_at: now });
    await setUsers(db, guid, user_guids, reachOf(caller));
    return { guid };
  },
});
