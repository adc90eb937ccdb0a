// GET /table-groups/:guid

import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { object, orNull } from '#http/shapes.ts';
import { tableGroupRecord, toRecord } from './model.ts';
import { findTableGroup } from './store.ts';

export const get = endpoint({
  title: 'Get table group',
  method: 'GET',
  path: '/api/core/table-groups/:guid',
  access: 'MEMBER',
  params: { guid: required(guid) },
  answer: object({ table_group: orNull(tableGroupRecord) }),

  async run(input, { db, zone }: Call & { zone: string }) {
    const row = await findTableGroup(db, input.guid);
    return { table_group: row ? toRecord(row, zone) : null };
  },
});
