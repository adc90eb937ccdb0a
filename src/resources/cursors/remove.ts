// DELETE /cursors/:id

import { choice, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { queryId } from '#operations/params/number-params.ts';
import { required } from '#operations/params/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';

export const remove = endpoint({
  title: 'Remove cursor',
  notes: 'Cancels the query where it still runs, and drops its rows and its status.',
  method: 'DELETE',
  path: '/api/core/cursors/:id',
  access: 'MEMBER',
  audit: 'cursors.remove',
  ownedBy: 'query',
  params: { id: required(queryId, 'Id of the query.') },
  answer: record({ status: choice(['ok'])('Always `ok`.') }),

  async run(input, { queries, caller, note, afterCommit }: Call & { queries: LiveQueries }) {
    const query = queries.findCursor(input.id, caller);
    note({ login_name: query.request.caller.login });
    afterCommit(() => queries.remove(query));
    return { status: 'ok' as const };
  },
});
