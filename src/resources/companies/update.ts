// PUT /companies/:guid

import { duplicatedName, notFound } from '#contract/errors.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { nothing } from '#http/shapes.ts';
import type { Clock } from '#kernel/clock.ts';
import { searchable } from '#kernel/folded.ts';
import { isTaken } from '#store/lists.ts';
import { fields } from './params.ts';
import { findCompany, updateCompany } from './store.ts';

export const update = endpoint({
  title: 'Update company',
  method: 'PUT',
  path: '/api/core/companies/:guid',
  access: 'MASTER',
  audit: 'companies.update',
  params: { guid: required(guid), ...fields },
  answer: nothing,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const { guid, name, description = null } = input;
    if (!(await findCompany(db, guid))) throw notFound('company', guid);
    if (await isTaken(db, 'companies', { name }, guid)) throw duplicatedName(name);
    const updated_at = clock.now().epochMilliseconds;
    await updateCompany(db, guid, { name, description, search: searchable([name]), updated_at });
    return {};
  },
});
