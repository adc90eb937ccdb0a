// PUT /user-groups/:guid

import { duplicatedName, notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { nothing } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { isTaken } from '#store/lists.ts';
import { sightOf } from './model.ts';
import { fields } from './params.ts';
import { reachOf, requireCompany, requireReach } from './rules.ts';
import { findGroup, setUsers, updateGroup } from './store.ts';

export const update = endpoint({
  title: 'Update user group',
  notes: 'Replaces: users that are not named leave the group. A group stays in its company unless one is named.',
  method: 'PUT',
  path: '/api/core/user-groups/:guid',
  access: 'ADMIN',
  audit: 'user-groups.update',
  params: { guid: required(guid), ...fields },
  answer: nothing,

  async run(input, { db, caller, clock }: Call & { clock: Clock }) {
    const { guid, name, description = null, user_guids = [] } = input;
    const group = await findGroup(db, guid, sightOf(caller));
    if (!group) throw notFound('user group', guid);
    requireReach(caller, input.company_guid);
    const company_guid = input.company_guid ?? group.company_guid;
    if (await isTaken(db, 'user_groups', { company_guid, name }, guid)) throw duplicatedName(name);
    await requireCompany(db, input.company_guid);
    const updated_at = clock.now().epochMilliseconds;
    await updateGroup(db, guid, {
      company_guid,
      name,
      description,
      search: searchable([name, description]),
      updated_at,
    });
    await setUsers(db, guid, user_guids, reachOf(caller));
    return {};
  },
});
