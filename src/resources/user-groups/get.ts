// GET /user-groups/:guid

import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { object, orNull } from '#http/shapes.ts';
import { sightOf, toRecord, userGroupRecord } from './model.ts';
import { findGroup } from './store.ts';

export const get = endpoint({
  title: 'Get user group',
  method: 'GET',
  path: '/api/core/user-groups/:guid',
  access: 'MEMBER',
  params: { guid: required(guid) },
  answer: object({ user_group: orNull(userGroupRecord) }),

  async run(input, { db, caller, zone }: Call & { zone: string }) {
    const group = await findGroup(db, input.guid, sightOf(caller));
    return { user_group: group ? toRecord(group, zone) : null };
  },
});
