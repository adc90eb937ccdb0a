// GET /scheduled-queries/:guid

import { type Call, endpoint } from '#http/endpoint.ts';
import { guid, required } from '#http/params.ts';
import { orNull, record } from '#http/shapes.ts';
import { scheduledQueryRecord } from './model.ts';
import { type RecordDeps, recordOf } from './record.ts';
import { viewScheduledQuery } from './store.ts';

export const get = endpoint({
  title: 'Get scheduled query',
  method: 'GET',
  path: '/api/core/scheduled-queries/:guid',
  access: 'ADMIN',
  params: { guid: required(guid) },
  answer: record({ scheduled_query: orNull(scheduledQueryRecord) }),

  async run(input, { db, queries, scheduler, zone }: Call & RecordDeps) {
    const query = await viewScheduledQuery(db, input.guid);
    return { scheduled_query: query ? await recordOf(query, { queries, scheduler, zone }) : null };
  },
});
