// What a node asks another one for a query of its own: to run a query, and for a page of its queries.

import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ListAnswer } from '#cluster/calls/list-answer.ts';
import type { NodeCalls } from '#cluster/calls/node-calls.ts';
import type { NamedAccount } from '#cluster/calls/signed-header.ts';
import type { ReceivedRequest } from '#cluster/calls/signed-request.ts';
import type { NodeView } from '#cluster/members/membership.ts';
import { newGuid } from '#kernel/guid.ts';

/** The path by which a node asks another one for the rows of a query. */
export const NODE_QUERIES = '/api/core/node-queries';
export const NODE_QUERY_TYPE = 'application/x-vigil-query';

/** What a query of this node asks of others. */
interface NodeQuestion {
  readonly account: NamedAccount;
  /** Address of the caller. */
  readonly remoteIp: string;
}

interface QueriesQuestion extends NodeQuestion {
  /** The query string of the page. */
  readonly search: URLSearchParams;
}

/** A query that another node is to run. */
interface NodeQuery extends NodeQuestion {
  readonly body: string;
}

/** A page of the queries of a node that an account may see; undefined where the node does not answer. */
export const queriesOf = (
  calls: NodeCalls,
  node: NodeView,
  { search, gone, ...question }: QueriesQuestion & { readonly gone: AbortSignal },
): Promise<ListAnswer | undefined> =>
  calls.ask(node, { ...questionOf(question), url: `${NODE_QUERIES}?${search}` }, gone);

/** The answer of a node to a query of this one; undefined where it cannot be reached. */
export const runOn = (
  calls: NodeCalls,
  name: string,
  { gone, ...query }: NodeQuery & { readonly gone: AbortSignal },
): Promise<IncomingMessage | undefined> =>
  calls.call(name, queryRequest(query), { body: Readable.from([query.body]), gone });

const questionOf = ({ account, remoteIp }: NodeQuestion, body = ''): ReceivedRequest => ({
  id: newGuid(),
  method: 'GET',
  url: NODE_QUERIES,
  headers: {},
  remoteIp,
  isTls: false,
  account: { guid: account.guid, isService: account.isService, body: hash('sha256', body, 'hex') },
});

const queryRequest = ({ body, ...question }: NodeQuery): ReceivedRequest => ({
  ...questionOf(question, body),
  method: 'POST',
  headers: { 'content-type': NODE_QUERY_TYPE, 'content-length': String(Buffer.byteLength(body)) },
});
