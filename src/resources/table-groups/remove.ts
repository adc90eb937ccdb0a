// DELETE /table-groups

import { eachOnce } from '#contract/partial-outcome.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guids, required } from '#http/params.ts';
import { failures, object } from '#http/shapes.ts';
import { findTableGroup, removeTableGroup } from './store.ts';

export const remove = endpoint({
  title: 'Remove table groups',
  notes: 'Tables of a removed group are in none; its child groups move to its parent.',
  method: 'DELETE',
  path: '/api/core/table-groups',
  access: 'ADMIN',
  audit: 'table-groups.remove',
  params: { guids: required(guids) },
  answer: object({ failures }),

  run: (input, { db }: Call) =>
    eachOnce(input.guids, async (guid) => {
      const group = await findTableGroup(db, guid);
      if (!group) return 'table-group-not-found';
      await removeTableGroup(db, group);
      return undefined;
    }),
});
