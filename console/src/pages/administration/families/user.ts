// A user, and which accounts may change it.

import type { AnswerFor } from '#client/call.ts';
import type { Account } from '#console/client/session.ts';

export type User = AnswerFor<'GET /api/core/users'>['users'][number];

/** Only a MASTER changes an account with this role. */
export const mayChangeUser = ({ role_name }: User, account: Account): boolean =>
  role_name !== 'MASTER' || account.role_name === 'MASTER';
