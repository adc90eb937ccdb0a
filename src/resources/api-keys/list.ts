// GET /users/:guid/api-keys

import type { Accounts } from '#access/accounts/accounts.ts';
import { listOf } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { keywords, paging } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { apiKeyRecord, ownOrAdministrator, requireOwner, toRecord } from './model.ts';
import { listKeys } from './store.ts';

export const list = endpoint({
  title: 'List API keys',
  notes: 'An ADMIN gets `user not found` for an account of another company.',
  method: 'GET',
  path: '/api/core/users/:guid/api-keys',
  access: ownOrAdministrator,
  params: { guid: guidOf('user'), ...paging, keywords },
  answer: listOf('api_keys', apiKeyRecord),

  async run(input, { db, caller, zone, accounts }: Call & { zone: string; accounts: Accounts }) {
    await requireOwner(db, caller, input.guid);
    const { total, rows } = await listKeys(db, { ...input, userGuid: input.guid });
    const current = rows.map((row) => ({ ...row, last_used: accounts.lastUsed(row.guid) ?? row.last_used }));
    return { total_count: total, api_keys: current.map((row) => toRecord(row, zone)) };
  },
});
