// GET /users/:guid

import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { foundOrNull, guidOf } from '#operations/shared-fields.ts';
import { toRecord, userRecord, userScopeOf } from './model.ts';
import { findUser } from './store.ts';

export const get = endpoint({
  title: 'Get user',
  notes: 'A user the caller may not see is null, like one that does not exist.',
  method: 'GET',
  path: '/api/core/users/:guid',
  access: 'MEMBER',
  params: { guid: guidOf('user') },
  answer: record({ user: orNull(userRecord)(foundOrNull('user')) }),

  async run(input, { db, caller, zone }: Call & { zone: string }) {
    const user = await findUser(db, input.guid, userScopeOf(caller));
    return { user: user ? toRecord(user, zone) : null };
  },
});
