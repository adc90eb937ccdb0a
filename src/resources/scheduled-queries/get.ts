// GET /scheduled-queries/:guid

import { orNull, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { foundOrNull, guidOf } from '#operations/shared-fields.ts';
import { scheduledQueryRecord } from './model.ts';
import { type RecordDeps, recordOf } from './record.ts';
import { viewScheduledQuery } from './store.ts';

export const get = endpoint({
  title: 'Get scheduled query',
  method: 'GET',
  path: '/api/core/scheduled-queries/:guid',
  access: 'ADMIN',
  params: { guid: guidOf('scheduled query') },
  answer: record({ scheduled_query: orNull(scheduledQueryRecord)(foundOrNull('scheduled query')) }),

  async run(input, { db, queries, scheduler, zone }: Call & RecordDeps) {
    const query = await viewScheduledQuery(db, input.guid);
    return { scheduled_query: query ? await recordOf(query, { queries, scheduler, zone }) : null };
  },
});
