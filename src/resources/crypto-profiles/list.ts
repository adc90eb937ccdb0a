// GET /crypto-profiles

import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { cryptoProfileRecord, toRecord } from './model.ts';
import { listProfiles } from './store.ts';

export const list = endpoint({
  title: 'List crypto profiles',
  method: 'GET',
  path: '/api/core/crypto-profiles',
  access: 'MASTER',
  params: { ...paging, keywords: anyText },
  answer: listOf('profiles', cryptoProfileRecord),

  async run(input, { db, zone }: Call & { zone: string }) {
    const { total, rows } = await listProfiles(db, input);
    return { total_count: total, profiles: rows.map((row) => toRecord(row, zone)) };
  },
});
