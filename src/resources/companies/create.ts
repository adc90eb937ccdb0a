// POST /companies

import { duplicatedGuid, duplicatedName } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid } from '#http/params.ts';
import { created } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { newGuid } from '#kernel/guid.ts';
import { isTaken } from '#store/lists.ts';
import { fields } from './params.ts';
import { insertCompany } from './store.ts';

export const create = endpoint({
  title: 'Create company',
  method: 'POST',
  path: '/api/core/companies',
  access: 'MASTER',
  audit: 'companies.create',
  params: { guid, ...fields },
  answer: created,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { name, description = null, guid = newGuid() } = input;
    if (await isTaken(db, 'companies', { name })) throw duplicatedName(name);
    if (await isTaken(db, 'companies', { guid })) throw duplicatedGuid(guid);
    const now = clock.now().epochMilliseconds;
    const search = searchable([name]);
    await insertCompany(db, { guid, name, description, search, created_at: now, updated_at: now });
    return { guid };
  },
});
