// PUT /preferences

import { described } from '#http/described.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { map } from '#http/json-params.ts';
import { required } from '#http/params.ts';
import { nothing } from '#http/shapes.ts';
import { replacePreferences } from './store.ts';

export const update = endpoint({
  title: 'Replace preferences',
  notes: 'Replaces all values that are stored for the own account. Not audited.',
  method: 'PUT',
  path: '/api/core/preferences',
  access: 'MEMBER',
  auditedRefusal: 'preferences.update',
  params: { preferences: required(described(map, 'Values to store.', { theme: 'dark' })) },
  answer: nothing,

  async run({ preferences }, { db, caller }: Call) {
    await replacePreferences(db, caller.userGuid, preferences);
    return {};
  },
});
