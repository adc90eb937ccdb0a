// GET /logger-models

import { type Call, endpoint } from '#http/endpoint.ts';
import { anyText, paging } from '#http/params.ts';
import { listOf } from '#http/shapes.ts';
import { loggerModelRecord, toRecord } from './model.ts';
import { listModels } from './store.ts';

export const list = endpoint({
  title: 'List logger models',
  method: 'GET',
  path: '/api/core/logger-models',
  access: 'MEMBER',
  params: { ...paging, keywords: anyText },
  answer: listOf('logger_models', loggerModelRecord),

  async run(input, { db, zone }: Call & { zone: string }) {
    const { total, rows } = await listModels(db, input);
    return { total_count: total, logger_models: rows.map((row) => toRecord(row, zone)) };
  },
});
