// GET /sessions

import type { Accounts } from '#access/accounts/accounts.ts';
import { toStamp } from '#contract/times.ts';
import { roleId } from '#contract/values.ts';
import { choice, guidText, int32, record, stamp, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { sessionUser, toSessionUser } from './model.ts';
import { companyName } from './store.ts';

interface Needs extends Call {
  readonly accounts: Accounts;
  readonly zone: string;
}

export const get = endpoint({
  title: 'Get session',
  notes:
    'The session of the call: that of its cookie, or the implicit one of its key. A request with the header ' +
    '`X-Vigil-Refresh: true` does not keep a session alive, so that `expires_at` stays where it is.',
  method: 'GET',
  path: '/api/core/sessions',
  access: 'MEMBER',
  auditedRefusal: 'auth.read',
  params: {},
  answer: record({
    user: record({
      ...sessionUser,
      role_id: int32('Number of the role.', 2),
      company_guid: guidText('GUID of the company that the user belongs to.'),
      company_name: string('Name of that company.', 'default'),
    })('Account of the session.'),
    via: choice(['cookie', 'key'])('Whether the call came with a cookie or with a key.'),
    expires_at: stamp('Time when the session ends without a further request.'),
    idle_timeout: int32('Seconds without a request after which a session ends.', 3600),
  }),

  async run(_input, { db, caller, accounts, zone }: Needs) {
    const { role, companyGuid, idleTimeout, sessionGuid } = caller;
    const company = { company_guid: companyGuid, company_name: await companyName(db, companyGuid) };
    return {
      user: { ...toSessionUser(caller, zone), role_id: roleId(role), ...company },
      via: sessionGuid ? ('cookie' as const) : ('key' as const),
      expires_at: toStamp(await accounts.endOfSession(caller), zone),
      idle_timeout: idleTimeout.total('seconds'),
    };
  },
});
