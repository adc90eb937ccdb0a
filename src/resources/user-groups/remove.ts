// DELETE /user-groups

import { eachOnce } from '#contract/partial-outcome.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guids, required } from '#http/params.ts';
import { failures, object } from '#http/shapes.ts';
import { sightOf } from './model.ts';
import { findGroup, removeGroup } from './store.ts';

export const remove = endpoint({
  title: 'Remove user groups',
  method: 'DELETE',
  path: '/api/core/user-groups',
  access: 'ADMIN',
  audit: 'user-groups.remove',
  params: { guids: required(guids) },
  answer: object({ failures }),

  run: (input, { db, caller }: Call) =>
    eachOnce(input.guids, async (guid) => {
      if (!(await findGroup(db, guid, sightOf(caller)))) return 'user-group-not-found';
      await removeGroup(db, guid);
      return undefined;
    }),
});
