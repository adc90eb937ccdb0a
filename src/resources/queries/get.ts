// Get Query Status: GET /queries/:id

import { type Call, endpoint } from '#http/endpoint.ts';
import { queryId } from '#http/number-params.ts';
import { required } from '#http/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { queryRecord } from './model.ts';

export const get = endpoint({
  title: 'Get Query Status',
  notes:
    'Of a query of the own account, while it runs and for an hour after its end. `stamp` rises with every answer. A query ' +
    'that failed or was cancelled also has `cancel_reason` and, where they are known, `error_code` and `error_detail`.',
  method: 'GET',
  path: '/api/core/queries/:id',
  access: 'MEMBER',
  params: { id: required(queryId, 'Id of the query.') },
  answer: queryRecord,

  async run(input, { queries, caller }: Call & { queries: LiveQueries }) {
    return queries.status(queries.find(input.id, caller));
  },
});
