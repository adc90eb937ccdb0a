// GET /logger-models/:guid

import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { object, orNull } from '#http/shapes.ts';
import { loggerModelRecord, toRecord } from './model.ts';
import { findModel } from './store.ts';

export const get = endpoint({
  title: 'Get logger model',
  method: 'GET',
  path: '/api/core/logger-models/:guid',
  access: 'MEMBER',
  params: { guid: required(guid) },
  answer: object({ logger_model: orNull(loggerModelRecord) }),

  async run(input, { db, zone }: Call & { zone: string }) {
    const row = await findModel(db, input.guid);
    return { logger_model: row ? toRecord(row, zone) : null };
  },
});
