// POST /node-queries

import type { Accounts } from '#access/accounts/accounts.ts';
import { ROWS_TYPE } from '#operations/answers/rows-answer.ts';
import { lines, map } from '#operations/answers/shapes.ts';
import { Answer, type Call, endpoint } from '#operations/endpoint.ts';
import { NODE_QUERIES, NODE_QUERY_TYPE } from '#queries/remote/node-queries.ts';
import { type RemoteLinesDeps, remoteLines } from '#queries/remote/remote-lines.ts';
import { queryRequestOf } from '#queries/remote/remote-request.ts';

interface Needs extends Call {
  readonly accounts: Accounts;
  readonly nodeQueries: RemoteLinesDeps;
}

export const run = endpoint({
  title: 'Run query for another node',
  notes:
    'The rows of a query of the command `remote`, for the node that has it. The query around it is on record there.',
  method: 'POST',
  path: NODE_QUERIES,
  access: 'MEMBER',
  isBetweenNodes: true,
  isUnit: false,
  params: {},
  rawBody: { types: [NODE_QUERY_TYPE], sample: '{}' },
  answer: lines(map),
  answerType: ROWS_TYPE,

  async run(_, { accounts, nodeQueries, caller, remoteIp, forwardedBy: askedBy, content, gone }: Needs) {
    const request = await queryRequestOf(content.bytes.toString('utf8'), { accounts, caller, remoteIp, askedBy });
    return new Answer<never>(remoteLines(nodeQueries, request, gone), { headers: { 'content-type': ROWS_TYPE } });
  },
});
