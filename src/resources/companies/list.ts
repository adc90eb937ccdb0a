// GET /companies

import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { companyRecord, toRecord } from './model.ts';
import { listCompanies } from './store.ts';

export const list = endpoint({
  title: 'List companies',
  method: 'GET',
  path: '/api/core/companies',
  access: 'MASTER',
  params: { ...paging, keywords: anyText },
  answer: listOf('companies', companyRecord),

  async run(input, { db, zone }: Call & { zone: string }) {
    const { total, rows } = await listCompanies(db, input);
    return { total_count: total, companies: rows.map((row) => toRecord(row, zone)) };
  },
});
