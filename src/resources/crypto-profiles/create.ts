// POST /crypto-profiles

import { randomBytes } from 'node:crypto';
import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { newGuid } from '#kernel/guid.ts';
import { isTaken } from '#store/lists.ts';
import { KEY_BYTES } from '#vault/profile-key.ts';
import type { Vault } from '#vault/vault.ts';
import { fields, keyBytes, keyFields } from './params.ts';
import { allProfiles, insertProfile } from './store.ts';

export const create = endpoint({
  title: 'Create crypto profile',
  notes:
    'A key is made when none is given. No operation returns it; it is kept wrapped by the master secret of the keys ' +
    'folder, which is made with the first profile: keep a copy of that file, apart from the data.',
  method: 'POST',
  path: '/api/core/crypto-profiles',
  access: 'MASTER',
  audit: 'crypto-profiles.create',
  params: { guid, ...fields, ...keyFields },
  answer: created,

  async run(input, { db, clock, vault }: Call & { clock: Clock; vault: Vault }) {
    const { guid = newGuid(), name, description = null, algorithm } = input;
    if (await isTaken(db, 'crypto_profiles', { name })) throw duplicatedName(name);
    if (await isTaken(db, 'crypto_profiles', { guid })) throw duplicatedGuid(guid);
    const key = (input.key && keyBytes(input.key)) || randomBytes(KEY_BYTES[algorithm]);
    const now = clock.now().epochMilliseconds;
    await insertProfile(db, {
      guid,
      name,
      description,
      algorithm,
      wrapped_key: vault.wrapped(guid, algorithm, key, await allProfiles(db)),
      search: searchable([name]),
      created_at: now,
      updated_at: now,
    });
    return { guid };
  },
});
