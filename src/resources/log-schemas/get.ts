// GET /log-schemas/:code

import { type Call, endpoint } from '#http/endpoint.ts';
import { object, orNull } from '#http/shapes.ts';
import { logSchemaRecord, toRecord } from './model.ts';
import { code } from './params.ts';
import { findLogSchema } from './store.ts';

export const get = endpoint({
  title: 'Get log schema',
  method: 'GET',
  path: '/api/core/log-schemas/:code',
  access: 'MEMBER',
  params: { code },
  answer: object({ schema: orNull(logSchemaRecord) }),

  async run(input, { db, zone }: Call & { zone: string }) {
    const row = await findLogSchema(db, input.code);
    return { schema: row ? toRecord(row, zone) : null };
  },
});
