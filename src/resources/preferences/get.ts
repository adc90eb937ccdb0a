// GET /preferences

import { map, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { findPreferences } from './store.ts';

export const get = endpoint({
  title: 'Get preferences',
  notes: 'Values that a client has stored for the own account; an empty map before the first.',
  method: 'GET',
  path: '/api/core/preferences',
  access: 'MEMBER',
  params: {},
  answer: record({ preferences: map('Stored values.', { theme: 'dark' }) }),

  async run(_input, { db, caller }: Call) {
    return { preferences: await findPreferences(db, caller.userGuid) };
  },
});
