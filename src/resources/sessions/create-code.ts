// POST /sessions/codes

import { createSignInCode } from '#access/accounts/sign-in-codes.ts';
import { toStamp } from '#contract/times.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { record, stamp, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';

interface Needs extends Call {
  readonly clock: Clock;
  readonly zone: string;
}

export const createCode = endpoint({
  title: 'Create sign-in code',
  notes:
    'A code for one Open console session of the own account, valid once and for 10 minutes; the session ends with the ' +
    'key of this call. It is shown once, and only its SHA-256 is kept. An account has at most 10 open codes: a further ' +
    'one ends the oldest. The link `<url>/#code=<code>` signs a browser in; a fragment is never sent or logged.',
  method: 'POST',
  path: '/api/core/sessions/codes',
  access: 'MEMBER',
  audit: 'auth.code',
  params: {},
  answer: record({
    code: string('The code, shown once.', '3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
    expires_at: stamp('Time when the code ends.'),
  }),

  async run(_input, { db, caller, clock, zone, note }: Needs) {
    note({ login: caller.login });
    const { code, expiresAt } = await createSignInCode(db, { ...caller, now: clock.now() });
    return { code, expires_at: toStamp(expiresAt, zone) };
  },
});
