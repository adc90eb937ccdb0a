// POST /users/:guid/api-keys

import { hashOf, newApiKey, prefixOf } from '#access/accounts/keys.ts';
import type { Quotas } from '#access/limits/quotas.ts';
import { tooMany } from '#contract/errors.ts';
import { KEY_SCOPES } from '#contract/values.ts';
import { newGuid } from '#kernel/guid.ts';
import { searchText } from '#kernel/text/search-text.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { guidText, record, string } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { addresses, oneOf, orElse, required, text } from '#operations/params/params.ts';
import { futureTime } from '#operations/params/time-params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { ownOrAdministrator, requireOwner } from './model.ts';
import { countKeys, insertKey } from './store.ts';

interface Needs extends Call {
  readonly clock: Clock;
  readonly quotas: Quotas;
}

export const create = endpoint({
  title: 'Create API key',
  notes:
    'The answer is the only place where the key is ever shown. A key of scope `push` may push logs and open uploads ' +
    'into tables. It opens no session (401), and any other operation that needs a key is 500 `no-permission`.',
  method: 'POST',
  path: '/api/core/users/:guid/api-keys',
  access: ownOrAdministrator,
  audit: 'users.create-api-key',
  params: {
    guid: guidOf('user'),
    name: required(text(255), 'Name of the API key.'),
    expires_at: described(futureTime, 'Time when the key expires; never where absent.'),
    trust_hosts: described(addresses, 'Addresses and networks that the key may be used from; any where absent.'),
    scope: orElse(
      oneOf(KEY_SCOPES),
      'all',
      'What the key may do: `all` that its account may, or `push`: send logs to the tables that the account may write.',
    ),
  },
  answer: record({
    guid: guidText('GUID of the API key.'),
    api_key: string('The key; shown in this answer alone.', 'vgl_Xk3a9Q…'),
  }),

  async run(input, { db, caller, clock, quotas }: Needs) {
    const { name, expires_at, trust_hosts = [], scope } = input;
    await requireOwner(db, caller, input.guid);
    if ((await countKeys(db, input.guid)) >= quotas.apiKeysPerUser) throw tooMany('api keys', quotas.apiKeysPerUser);
    const key = newApiKey();
    const keyGuid = newGuid();
    await insertKey(db, {
      guid: keyGuid,
      user_guid: input.guid,
      name,
      prefix: prefixOf(key),
      hash: hashOf(key),
      trust_hosts: JSON.stringify(trust_hosts),
      expires_at: expires_at?.epochMilliseconds ?? null,
      last_used: null,
      scope,
      search: searchText([name]),
      created_at: clock.now().epochMilliseconds,
    });
    return { guid: keyGuid, api_key: key };
  },
});
