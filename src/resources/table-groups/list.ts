// GET /table-groups

import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { tableGroupRecord, toRecord } from './model.ts';
import { listTableGroups } from './store.ts';

export const list = endpoint({
  title: 'List table groups',
  method: 'GET',
  path: '/api/core/table-groups',
  access: 'MEMBER',
  params: { ...paging, keywords: anyText },
  answer: listOf('table_groups', tableGroupRecord),

  async run(input, { db, zone }: Call & { zone: string }) {
    const { total, rows } = await listTableGroups(db, input);
    return { total_count: total, table_groups: rows.map((row) => toRecord(row, zone)) };
  },
});
