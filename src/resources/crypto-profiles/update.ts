// PUT /crypto-profiles/:guid

import { duplicatedName, notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { nothing } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { isTaken } from '#store/lists.ts';
import { fields } from './params.ts';
import { findProfile, updateProfile } from './store.ts';

export const update = endpoint({
  title: 'Update crypto profile',
  notes: 'Algorithm and key are fixed.',
  method: 'PUT',
  path: '/api/core/crypto-profiles/:guid',
  access: 'MASTER',
  audit: 'crypto-profiles.update',
  params: { guid: required(guid), ...fields },
  answer: nothing,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { guid, name, description = null } = input;
    if (!(await findProfile(db, guid))) throw notFound('crypto profile', guid);
    if (await isTaken(db, 'crypto_profiles', { name }, guid)) throw duplicatedName(name);
    await updateProfile(db, guid, {
      name,
      description,
      search: searchable([name]),
      updated_at: clock.now().epochMilliseconds,
    });
    return {};
  },
});
