// PUT /queries/:id/tags

import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { tags } from '#operations/params/json-params.ts';
import { queryId } from '#operations/params/number-params.ts';
import { required } from '#operations/params/params.ts';
import type { LiveQueries } from '#queries/live-queries.ts';

export const tag = endpoint({
  title: 'Set query tags',
  notes:
    'Texts that a client stores with a query, such as how far it has paged. Replaces all tags of the query; at ' +
    'most 100 keys.',
  method: 'PUT',
  path: '/api/core/queries/:id/tags',
  access: 'MEMBER',
  audit: 'queries.tag',
  ownedBy: 'query',
  params: {
    id: required(queryId, 'Id of the query.'),
    tags: required(tags, 'Values that the client stores with the query; replaces those stored before.'),
  },
  answer: nothing,

  async run(input, { queries, caller, note, afterCommit }: Call & { queries: LiveQueries }) {
    const query = queries.find(input.id, caller);
    note({ login_name: query.request.caller.login });
    afterCommit(async () => queries.tag(query, input.tags));
    return {};
  },
});
