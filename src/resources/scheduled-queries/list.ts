// GET /scheduled-queries

import { listOf } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { keywords, paging } from '#operations/params/params.ts';
import { eventLoop } from '#runtime/event-loop.ts';
import { type ScheduledQueryRecord, scheduledQueryRecord } from './model.ts';
import { type RecordDeps, recordOf } from './record.ts';
import { listScheduledQueries } from './store.ts';

export const list = endpoint({
  title: 'List scheduled queries',
  notes: '`keywords` is contained in name, description or query.',
  method: 'GET',
  path: '/api/core/scheduled-queries',
  access: 'ADMIN',
  params: { ...paging, keywords },
  answer: listOf('scheduled_queries', scheduledQueryRecord),

  async run(input, { db, queries, scheduler, zone }: Call & RecordDeps) {
    const { total, rows } = await listScheduledQueries(db, input);
    const records: ScheduledQueryRecord[] = [];
    for (const row of rows) {
      // Yields between texts: a long list must not block other requests.
      await eventLoop.nextSlot();
      records.push(await recordOf(row, { queries, scheduler, zone }));
    }
    return { total_count: total, scheduled_queries: records };
  },
});
