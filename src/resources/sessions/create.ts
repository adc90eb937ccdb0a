// POST /sessions

import type { Accounts } from '#access/accounts.ts';
import { hashOf, newSessionToken } from '#access/keys.ts';
import type { Quotas } from '#access/quotas.ts';
import type { RefusedAttempts } from '#access/refused-attempts.ts';
import { toStamp } from '#contract/times.ts';
import { LOCALES, ROLES } from '#contract/values.ts';
import { described } from '#http/described.ts';
import { Answer, type Call, endpoint } from '#http/endpoint.ts';
import { anyText, required, secret } from '#http/params.ts';
import { choice, guidText, record, stamp, string } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { newGuid } from '#kernel/guid.ts';
import { sessionCookie } from './model.ts';
import { endOldest, insertSession } from './store.ts';

interface Needs extends Call {
  readonly accounts: Accounts;
  readonly attempts: RefusedAttempts;
  readonly clock: Clock;
  readonly zone: string;
  readonly quotas: Quotas;
}

export const create = endpoint({
  title: 'Open console session',
  notes:
    'Answers with the cookie `vigil_session`, under TLS `__Host-vigil_session`. The session ends with its key, by ' +
    'DELETE, when idle too long (not while one of its queries is being answered), and 30 days after it was ' +
    'opened. A page of another origin cannot open one, and neither can a key of scope `push`.',
  method: 'POST',
  path: '/api/core/sessions',
  access: 'none',
  audit: 'auth.login',
  params: { api_key: described(secret(required(anyText)), 'API key of the account.') },
  answer: record({
    user: record({
      guid: guidText('GUID of the user.'),
      login: string('Login name.', 'kim'),
      name: string('Name of the user.', 'Kim'),
      role_name: choice(ROLES)('Role of the user.', 'ADMIN'),
      locale: choice(LOCALES)('Language of messages and labels.', 'en'),
    })('Account of the session.'),
    expires_at: stamp('Time when the session ends at the latest.'),
  }),

  async run(input, { db, accounts, attempts, clock, zone, isTls, origin, quotas, remoteIp, identify, note }: Needs) {
    // Prevents login CSRF: a foreign page must not open a session of its own account.
    if (origin === 'foreign') throw attempts.refuse(remoteIp);
    const caller = await accounts.byKey(input.api_key, remoteIp);
    if (!caller || caller.keyScope === 'push') throw attempts.refuse(remoteIp);
    identify(caller);
    note({ login: caller.login });
    const token = newSessionToken();
    const now = clock.now();
    const at = now.epochMilliseconds;
    await insertSession(db, {
      guid: newGuid(),
      hash: hashOf(token),
      key_guid: caller.keyGuid,
      created_at: at,
      last_seen: at,
    });
    await endOldest(db, caller.userGuid, quotas.sessionsPerUser);
    const user = {
      guid: caller.userGuid,
      login: caller.login,
      name: caller.name,
      role_name: caller.role,
      locale: caller.locale,
    };
    const expires_at = toStamp(now.add(caller.idleTimeout), zone);
    return new Answer({ user, expires_at }, { headers: sessionCookie(token, isTls) });
  },
});
