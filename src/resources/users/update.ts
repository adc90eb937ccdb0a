// PUT /users/:guid

import { duplicatedLogin, lastMaster, noPermission, notFound } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import type { InputOf } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { isTaken } from '#store/rows/lists.ts';
import type { UserRow } from '#store/schema/schema.ts';
import { searchOf, userScopeOf } from './model.ts';
import { changedFields } from './params.ts';
import { requireMayAssign, requireReferences } from './rules.ts';
import { countMasters, findUser, setGroups, updateUser } from './store.ts';

export const update = endpoint({
  title: 'Update user',
  notes: 'Fields that are not given stay as they are.',
  method: 'PUT',
  path: '/api/core/users/:guid',
  access: 'ADMIN',
  audit: 'users.update',
  params: { guid: guidOf('user'), ...changedFields },
  answer: nothing,

  async run(input, { db, caller, clock }: Call & { clock: Clock }) {
    const { guid, login, role, user_group_guids } = input;
    const user = await findUser(db, guid, userScopeOf(caller));
    if (!user) throw notFound('user', guid);
    if (user.role === 'MASTER' && caller.role !== 'MASTER') throw noPermission();
    requireMayAssign(caller, input);
    if (login !== undefined && (await isTaken(db, 'users', { login }, guid))) throw duplicatedLogin(login);
    await requireReferences(db, caller, input);
    const isDemoted = user.role === 'MASTER' && role !== undefined && role !== 'MASTER';
    if (isDemoted && (await countMasters(db)) === 1) throw lastMaster(guid);
    const { company_name, has_api_key, group_guids, ...row } = user;
    const changed = { ...row, ...changesOf(input), updated_at: clock.now().epochMilliseconds };
    await updateUser(db, guid, { ...changed, search: searchOf(changed) });
    if (user_group_guids !== undefined) await setGroups(db, guid, user_group_guids);
    return {};
  },
});

/** The columns with a value in the input. */
function changesOf(input: InputOf<typeof changedFields>): Partial<UserRow> {
  const { user_group_guids, trust_hosts, ...columns } = input;
  const given = Object.entries(columns).filter(([, value]) => value !== undefined && value !== null);
  return {
    ...Object.fromEntries(given.filter(([name]) => name !== 'guid')),
    ...(trust_hosts === undefined ? {} : { trust_hosts: JSON.stringify(trust_hosts) }),
  };
}
