// GET /companies/:guid

import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { object, orNull } from '#http/shapes.ts';
import { companyRecord, toRecord } from './model.ts';
import { findCompany } from './store.ts';

export const get = endpoint({
  title: 'Get company',
  method: 'GET',
  path: '/api/core/companies/:guid',
  access: 'MASTER',
  params: { guid: required(guid) },
  answer: object({ company: orNull(companyRecord) }),

  async run(input, { db, zone }: Call & { zone: string }) {
    const row = await findCompany(db, input.guid);
    return { company: row ? toRecord(row, zone) : null };
  },
});
