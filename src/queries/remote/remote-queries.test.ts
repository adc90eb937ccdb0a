// The account of a query as other nodes are told of it.

import { expect, it } from 'vitest';
import { type Caller, onBehalfOf } from '#access/caller.ts';
import { CALLER, openScriptedQueries } from '#test/support/scripted-queries.ts';
import { namedAccount } from './remote-queries.ts';

const { isService: _, ...MEMBER } = { ...CALLER, role: 'MEMBER' as const };

it.each<{ it: string; caller: Caller; isService: boolean }>([
  { it: 'that has a key', caller: MEMBER, isService: false },
  {
    it: 'of a query that another node has passed on, without a key',
    caller: { ...MEMBER, keyGuid: '' },
    isService: false,
  },
  { it: 'on whose behalf the service runs', caller: onBehalfOf(MEMBER), isService: true },
])('An account $it is named as such', async ({ caller, isService }) => {
  await using scripted = await openScriptedQueries();
  const request = { caller, source: 'rest-api', remoteIp: '127.0.0.1', text: 'json "{a:1}"' } as const;
  const query = await scripted.queries.accept({ ...request, background: true, keepsRows: true });
  expect(namedAccount(query, undefined)).toEqual({ guid: MEMBER.userGuid, isService });
});
