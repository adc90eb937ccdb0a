// Wires the command `remote`: this node runs its share of a query itself, all others are asked.

import type { IncomingMessage } from 'node:http';
import type { Accounts } from '#access/accounts/accounts.ts';
import type { Defects } from '#app/defects.ts';
import type { NodeCalls } from '#cluster/calls/node-calls.ts';
import type { Nodes, NodeView } from '#cluster/members/membership.ts';
import { systemClock } from '#kernel/time/clock.ts';
import type { LiveQueries } from '#queries/live-queries.ts';
import { queriesOf, runOn } from '#queries/remote/node-queries.ts';
import { type RemoteLinesDeps, remoteLines } from '#queries/remote/remote-lines.ts';
import type {
  QueriesCall,
  QueriesOfOthers,
  RemoteAnswer,
  RemoteCall,
  RemoteNodes,
} from '#queries/remote/remote-queries.ts';
import { queryRequestOf } from '#queries/remote/remote-request.ts';
import type { ShownPage } from '#queries/status/shown-queries.ts';
import type { ShownPart } from '#queries/status/shown-query.ts';

interface RemoteParts {
  readonly nodes: Nodes;
  readonly accounts: Accounts;
  readonly calls: NodeCalls;
  /** Parts that are made after these. */
  later(): { readonly queries: LiveQueries };
}

/** Queries that other nodes ask for. */
export const nodeQueriesOf = (
  { queries, nodes }: { readonly queries: LiveQueries; readonly nodes: Nodes },
  instruments: Defects,
): RemoteLinesDeps => ({
  queries,
  // Silence of a network is measured in real time.
  clock: systemClock,
  isAlive: async (node) => (await nodes.list()).some(({ name, state }) => name === node && state === 'alive'),
  failed: (error) => instruments.defect(error, 'queries of other nodes'),
});

/** Of a version that has no such operation. */
const UNKNOWN = [404, 405];
/** Bytes that are read of an error. */
const MAX_ERROR_BYTES = 8 * 1024;

export function remoteNodes({ nodes, accounts, calls, later }: RemoteParts, instruments: Defects): RemoteNodes {
  const { name: self } = nodes.own;
  return {
    living: async () => (await nodes.list()).flatMap(({ name, state }) => (state === 'alive' ? [name] : [])),
    async run(node, call, signal) {
      if (node === self) return await runHere(call, signal);
      const answer = await runOn(calls, node, { ...call, gone: signal });
      if (!answer) return 'unreachable';
      if (answer.statusCode === 200) return { bytes: answer };
      const failure = await failureIn(answer);
      const { statusCode = 0 } = answer;
      if (statusCode === 401) return 'refused';
      if (statusCode === 503) return 'unreachable';
      return UNKNOWN.includes(statusCode) ? 'too-old' : { failure };
    },
    queries: (call, signal) => queriesOfOthers(calls, call, signal),
  };

  async function runHere({ account, body, remoteIp }: RemoteCall, gone: AbortSignal): Promise<RemoteAnswer> {
    const caller = await accounts.byName(account);
    if (!caller) return 'refused';
    const request = await queryRequestOf(body, { accounts, caller, remoteIp, askedBy: self });
    const deps = nodeQueriesOf({ nodes, queries: later().queries }, instruments);
    return { bytes: begun(remoteLines(deps, request, gone)) };
  }
}

/** A page of each node at a time, so that as many rows are held as nodes answer at once. */
async function* queriesOfOthers(
  calls: NodeCalls,
  { part, ...question }: QueriesCall,
  gone: AbortSignal,
): AsyncGenerator<QueriesOfOthers> {
  const pageOf = async ({ node, before }: PageOfNode) => {
    const answer = await queriesOf(calls, node, { ...question, search: searchOf({ ...part, before }), gone });
    // Nodes answer in one shape.
    return { node, status: answer?.status, page: answer?.value as ShownPage | undefined };
  };
  let asked: readonly PageOfNode[] = (await calls.others()).map((node) => ({ node }));
  while (asked.length > 0) {
    const answers = await Promise.all(asked.map(pageOf));
    gone.throwIfAborted();
    yield {
      queries: answers.flatMap(({ page }) => page?.queries ?? []),
      missing: answers.flatMap(({ node: { name }, status, page }) =>
        page ? [] : [{ name, ...(status === undefined ? {} : { status }) }],
      ),
    };
    asked = answers.flatMap(({ node, page }) => (page?.before ? [{ node, before: page.before }] : []));
  }
}

interface PageOfNode {
  readonly node: NodeView;
  /** Absent: the first. */
  readonly before?: number;
}

const searchOf = (part: ShownPart): URLSearchParams =>
  new URLSearchParams(
    Object.entries(part).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  );

/** The query runs while the answers of other nodes are read: the line before its run and the one of its columns are asked for at once. */
function begun(lines: AsyncGenerator<string>): AsyncIterable<string> {
  const first = [lines.next(), lines.next()];
  const iterator = { next: () => first.shift() ?? lines.next(), return: () => lines.return(undefined) };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** The text of an error, or its status where it has none. */
async function failureIn(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ERROR_BYTES) break;
    }
    const { error_msg: text } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof text === 'string') return text;
  } catch {
    // Broken off, or none of a node.
  }
  return `status ${answer.statusCode}`;
}
