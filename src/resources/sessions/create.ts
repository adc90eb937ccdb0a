// POST /sessions

import type { Accounts } from '#access/accounts/accounts.ts';
import { hashOf, newSessionToken } from '#access/accounts/keys.ts';
import { redeemSignInCode } from '#access/accounts/sign-in-codes.ts';
import type { Quotas } from '#access/limits/quotas.ts';
import type { RefusedAttempts } from '#access/limits/refused-attempts.ts';
import { missing } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import { newGuid } from '#kernel/guid.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { record, stamp } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { anyText, type Reader, secret } from '#operations/params/params.ts';
import { sessionCookie, sessionUser, toSessionUser } from './model.ts';
import { endOldest, insertSession } from './store.ts';

/** Not read beside a key. */
const besideKey: Reader<string | undefined> = {
  ...anyText,
  read(given, name, context, earlier = {}) {
    if (earlier.api_key !== undefined) return undefined;
    const code = anyText.read(given, name, context);
    if (code === undefined) throw missing('api_key');
    return code;
  },
};

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
    'opened. A page of another origin cannot open one, and neither can a key of scope `push`. A code of Create ' +
    'sign-in code opens a session once; one that is unknown, used or too old is 401 and counts as a failed ' +
    'authentication.\n\n' +
    'The messages of event streams, and requests with the header `X-Vigil-Refresh: true`, which the console sends with ' +
    'every request that it repeats by itself, do not keep a session alive; opening a stream does.',
  method: 'POST',
  path: '/api/core/sessions',
  access: 'none',
  audit: 'auth.login',
  params: {
    api_key: described(secret(anyText), 'API key of the account; required without `code`.', 'vgl_…'),
    code: described(secret(besideKey), 'One-time code in place of the key; ignored beside `api_key`.'),
  },
  answer: record({
    user: record(sessionUser)('Account of the session.'),
    expires_at: stamp('Time when the session ends without a further request.'),
  }),

  async run(input, needs: Needs) {
    const { db, attempts, clock, zone, isTls, origin, quotas, remoteIp, identify, note } = needs;
    // Prevents login CSRF: a foreign page must not open a session of its own account.
    if (origin === 'foreign') throw attempts.refuse(remoteIp);
    const caller = await callerOf(input, needs);
    if (!caller || caller.keyScope === 'push') throw attempts.refuse(remoteIp);
    identify(caller);
    note({ login: caller.login, ...(input.code === undefined ? {} : { via: 'code' }) });
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
    const expires_at = toStamp(now.add(caller.idleTimeout), zone);
    return new Answer({ user: toSessionUser(caller, zone), expires_at }, { headers: sessionCookie(token, isTls) });
  },
});

interface SentSecret {
  readonly api_key: string | undefined;
  readonly code: string | undefined;
}

/** A refusal undoes the end of the code with the unit. */
async function callerOf({ api_key, code }: SentSecret, { db, accounts, clock, remoteIp }: Needs) {
  if (api_key !== undefined) return await accounts.byKey(api_key, { remoteIp });
  const keyGuid = await redeemSignInCode(db, code ?? '', clock.now());
  return keyGuid && (await accounts.byKeyGuid(keyGuid, { remoteIp }));
}
