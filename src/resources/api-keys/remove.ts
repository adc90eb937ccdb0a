// DELETE /users/:guid/api-keys/:key_guid

import { notFound } from '#contract/errors.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guid, required } from '#operations/params/params.ts';
import { guidOf } from '#operations/shared-fields.ts';
import { ownOrAdministrator, requireOwner } from './model.ts';
import { removeKey } from './store.ts';

export const remove = endpoint({
  title: 'Revoke API key',
  notes: 'Acts on the next request. Console sessions opened with the key end.',
  method: 'DELETE',
  path: '/api/core/users/:guid/api-keys/:key_guid',
  access: ownOrAdministrator,
  audit: 'users.remove-api-key',
  params: { guid: guidOf('user'), key_guid: required(guid, 'GUID of the API key.') },
  answer: nothing,

  async run(input, { db, caller }: Call) {
    await requireOwner(db, caller, input.guid);
    if (!(await removeKey(db, input.guid, input.key_guid))) throw notFound('api key', input.key_guid);
    return {};
  },
});
