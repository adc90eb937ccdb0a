// DELETE /companies

import { eachOnce } from '#contract/partial-outcome.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { guids, required } from '#http/params.ts';
import { failures, object } from '#http/shapes.ts';
import type { Db } from '#store/kysely.ts';
import { findCompany, isInUse, removeCompany, removeGroupsOf } from './store.ts';

export const remove = endpoint({
  title: 'Remove companies',
  method: 'DELETE',
  path: '/api/core/companies',
  access: 'MASTER',
  audit: 'companies.remove',
  params: { guids: required(guids) },
  answer: object({ failures }),

  run: (input, { db }: Call) => eachOnce(input.guids, (guid) => removeOne(db, guid)),
});

async function removeOne(db: Db, guid: string): Promise<string | undefined> {
  if (!(await findCompany(db, guid))) return 'company-not-found';
  if (await isInUse(db, guid)) return 'company-in-use';
  await removeGroupsOf(db, guid);
  await removeCompany(db, guid);
  return undefined;
}
