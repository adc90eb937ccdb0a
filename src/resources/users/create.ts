// POST /users

import { duplicatedGuid, duplicatedLogin } from '#contract/errors.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { created } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { newGuidParam } from '#operations/shared-fields.ts';
import { isTaken } from '#store/rows/lists.ts';
import { searchOf } from './model.ts';
import { newFields } from './params.ts';
import { requireMayAssign, requireReferences } from './rules.ts';
import { insertUser, setGroups } from './store.ts';

export const create = endpoint({
  title: 'Create user',
  notes:
    'Only a MASTER names the role MASTER or another company than its own; any other account gets `no-permission`. ' +
    '`login` has ASCII letters and digits. `time_zone` is a name of the zone database, `UTC`, `GMT`, `Z`, or a fixed ' +
    'offset such as `UTC+9` and `+0900`, by default that of the service; any other text is ' +
    '`wrong time zone: <text>`. Console and command line show times in it, answers keep the zone of the service.',
  method: 'POST',
  path: '/api/core/users',
  access: 'ADMIN',
  audit: 'users.create',
  params: { guid: newGuidParam, ...newFields },
  answer: created,

  async run(input, { db, caller, clock }: Call & { clock: Clock }) {
    const { guid = newGuid(), login, user_group_guids = [], trust_hosts = [] } = input;
    requireMayAssign(caller, input);
    if (await isTaken(db, 'users', { login })) throw duplicatedLogin(login);
    if (await isTaken(db, 'users', { guid })) throw duplicatedGuid(guid);
    await requireReferences(db, caller, input);
    const now = clock.now().epochMilliseconds;
    const user = {
      guid,
      login,
      name: input.name,
      role: input.role,
      title: input.title ?? null,
      dept: input.dept ?? null,
      phone: input.phone ?? null,
      mobile: input.mobile ?? null,
      email: input.email ?? null,
      locale: input.locale,
      time_zone: input.time_zone ?? null,
      company_guid: input.company_guid ?? caller.companyGuid,
      trust_hosts: JSON.stringify(trust_hosts),
      idle_timeout: input.idle_timeout,
      created_at: now,
      updated_at: now,
    } as const;
    await insertUser(db, { ...user, search: searchOf(user) });
    await setGroups(db, guid, user_group_guids);
    return { guid };
  },
});
