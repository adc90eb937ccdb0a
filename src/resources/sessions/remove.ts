// DELETE /sessions

import type { Accounts } from '#access/accounts/accounts.ts';
import type { RefusedAttempts } from '#access/limits/refused-attempts.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { sessionCookie } from './model.ts';
import { endKeySession, removeSession } from './store.ts';

interface Needs extends Call {
  readonly accounts: Accounts;
  readonly attempts: RefusedAttempts;
}

export const remove = endpoint({
  title: 'End session',
  notes:
    'Ends the session of the cookie or key sent; without a valid one nothing happens and no audit entry is ' +
    'written. A cookie with a foreign `Origin` is 401. A key stays valid.',
  method: 'DELETE',
  path: '/api/core/sessions',
  access: 'none',
  audit: 'auth.logout',
  params: {},
  answer: nothing,

  async run(_input, needs: Needs) {
    const { db, accounts, attempts, credentials, remoteIp, isTls } = needs;
    if (credentials?.isForeign) throw attempts.refuse(remoteIp);
    const caller = await credentials?.read(accounts)(remoteIp);
    if (caller) {
      needs.identify(caller);
      needs.note({ login: caller.login });
      if (caller.sessionGuid) await removeSession(db, caller.sessionGuid);
      else await endKeySession(db, caller.keyGuid);
    } else {
      needs.leaveUnrecorded();
    }
    return new Answer({}, { headers: sessionCookie('', isTls) });
  },
});
