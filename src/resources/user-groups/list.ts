// GET /user-groups

import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { sightOf, toRecord, userGroupRecord } from './model.ts';
import { listGroups } from './store.ts';

export const list = endpoint({
  title: 'List user groups',
  notes: 'A MEMBER sees the groups it is in, an ADMIN those of its company.',
  method: 'GET',
  path: '/api/core/user-groups',
  access: 'MEMBER',
  params: { ...paging, keywords: anyText },
  answer: listOf('user_groups', userGroupRecord),

  async run(input, { db, caller, zone }: Call & { zone: string }) {
    const { total, rows } = await listGroups(db, { ...input, sight: sightOf(caller) });
    return { total_count: total, user_groups: rows.map((row) => toRecord(row, zone)) };
  },
});
