// GET /users

import { listOf } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guid, guids, keywords, paging } from '#operations/params/params.ts';
import { toRecord, userRecord, userScopeOf } from './model.ts';
import { listUsers } from './store.ts';

export const list = endpoint({
  title: 'List users',
  notes: 'A MEMBER sees itself, an ADMIN its company. `company_guid` is read from a MASTER only.',
  method: 'GET',
  path: '/api/core/users',
  access: 'MEMBER',
  params: {
    ...paging,
    keywords,
    company_guid: described(guid, 'GUID of the company of the listed users.'),
    guids: described(guids, 'GUIDs of the listed users.'),
  },
  answer: listOf('users', userRecord),

  async run(input, { db, caller, zone }: Call & { zone: string }) {
    const company = caller.role === 'MASTER' ? input.company_guid : undefined;
    const { total, rows } = await listUsers(db, { ...input, company, visibleTo: userScopeOf(caller) });
    return { total_count: total, users: rows.map((row) => toRecord(row, zone)) };
  },
});
