// DELETE /crypto-profiles

import { eachOnce } from '#contract/partial-outcome.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guids, required } from '#http/params.ts';
import { failures, object } from '#http/shapes.ts';
import { findProfile, isUsed, removeProfile } from './store.ts';

export const remove = endpoint({
  title: 'Remove crypto profiles',
  notes: 'One that a table uses stays. The key of a removed profile is gone for good.',
  method: 'DELETE',
  path: '/api/core/crypto-profiles',
  access: 'MASTER',
  audit: 'crypto-profiles.remove',
  params: { guids: required(guids) },
  answer: object({ failures }),

  run: (input, { db }: Call) =>
    eachOnce(input.guids, async (guid) => {
      if (!(await findProfile(db, guid))) return 'crypto-profile-not-found';
      if (await isUsed(db, guid)) return 'crypto-profile-in-use';
      await removeProfile(db, guid);
      return undefined;
    }),
});
