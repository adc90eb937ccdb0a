// GET /log-schemas

import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { logSchemaRecord, toRecord } from './model.ts';
import { listLogSchemas } from './store.ts';

export const list = endpoint({
  title: 'List log schemas',
  method: 'GET',
  path: '/api/core/log-schemas',
  access: 'MEMBER',
  params: { ...paging, keywords: anyText },
  answer: listOf('schemas', logSchemaRecord),

  async run(input, { db, zone }: Call & { zone: string }) {
    const { total, rows } = await listLogSchemas(db, input);
    return { total_count: total, schemas: rows.map((row) => toRecord(row, zone)) };
  },
});
