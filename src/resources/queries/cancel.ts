// POST /queries/:id/cancel

import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { queryId } from '#operations/params/number-params.ts';
import { required } from '#operations/params/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';

export const cancel = endpoint({
  title: 'Cancel query',
  notes:
    'An own query, or as an administrator any. Its work stops soon after; rows found so far stay. A query that ' +
    'has ended stays as it is. A scheduled run is cancelled as by stop.',
  method: 'POST',
  path: '/api/core/queries/:id/cancel',
  access: 'MEMBER',
  audit: 'queries.cancel',
  ownedBy: 'query',
  params: { id: required(queryId, 'Id of the query.') },
  answer: nothing,

  async run(input, { queries, caller, note, afterCommit }: Call & { queries: LiveQueries }) {
    const query = queries.findAny(input.id, caller);
    note({ login_name: query.request.caller.login });
    afterCommit(async () => queries.cancel(query));
    return {};
  },
});
