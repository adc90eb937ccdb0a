// PUT /preferences

import { nothing } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { map } from '#operations/params/json-params.ts';
import { required } from '#operations/params/params.ts';
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
