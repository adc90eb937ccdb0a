// Queries that a run has other nodes run. All nodes begin at once, each row is passed on as it comes, and all end together.

import type { Account } from '#access/caller.ts';
import type { NamedAccount } from '#cluster/calls/signed-header.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { MissingNode } from '#queries/runs/system-rows.ts';
import { NodeLost, RemoteEnd } from '#queries/status/query-ends.ts';
import type { ShownPart, ShownQuery } from '#queries/status/shown-query.ts';
import { QueryError } from '#query/model/query-error.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { RemoteRows } from '#query/plan-nodes/remote-rows.ts';
import { EndedElsewhere, LineTooLong, MAX_LINE_BYTES, remoteRowsOf } from './remote-answer.ts';
import type { ColumnsLine } from './remote-lines.ts';
import { type RemoteRequest, remoteBody } from './remote-request.ts';

export interface RemoteCall {
  readonly account: NamedAccount;
  /** As `remoteBody` makes it. */
  readonly body: string;
  /** Address of the caller. */
  readonly remoteIp: string;
}

/** `refused`: the node does not know the account, or the key of this node. */
export type RemoteAnswer =
  | { readonly bytes: AsyncIterable<Uint8Array | string> }
  | { readonly failure: string }
  | 'unreachable'
  | 'too-old'
  | 'refused';

/** The nodes of the installation, this one included. */
export interface RemoteNodes {
  /** Names of those that live. */
  living(): Promise<readonly string[]>;
  /** Resolves when the node has accepted the query. Aborting cancels it; bytes that fail have lost the node. */
  run(node: string, call: RemoteCall, signal: AbortSignal): Promise<RemoteAnswer>;
  /** Queries of all others that live, as far as the account may see them, some of each node at a time. */
  queries(call: QueriesCall, signal: AbortSignal): AsyncIterable<QueriesOfOthers>;
}

export interface QueriesCall extends Omit<RemoteCall, 'body'> {
  readonly part: ShownPart;
}

export interface QueriesOfOthers {
  readonly queries: readonly ShownQuery[];
  /** Nodes whose further queries are missing. */
  readonly missing: readonly MissingNode[];
}

interface Answered {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array | string>;
}

export const remotesFor = (query: LiveQuery, nodes: RemoteNodes): EffectServices['remotes'] => ({
  async *rows(node, signal) {
    const over = new AbortController();
    const both = AbortSignal.any([signal, over.signal]);
    const call = callOf(node, query);
    query.hasAskedNodes = true;
    try {
      const names = node.node === '*' ? await nodes.living() : [node.node];
      const answers = await Promise.all(names.map((name) => answerOf(node, name, nodes.run(name, call, both))));
      for (const answer of answers) yield* rowsOf(node, answer, signal);
    } finally {
      over.abort();
    }
  },
});

function callOf(node: RemoteRows, query: LiveQuery): RemoteCall {
  const { caller, source, remoteIp, isReadOnly = false } = query.request;
  const constants = new Map(node.query.constants);
  constants.delete('_timezone');
  const request: RemoteRequest = {
    ...node.query,
    constants,
    source,
    isReadOnly,
    calledBy: node.callers.map((guid) => guid ?? caller.userGuid),
  };
  return { account: namedAccount(query, node.account), body: boundedBody(node, request), remoteIp };
}

/** An account of a plan as other nodes are told of it. */
export function namedAccount({ checker, request: { caller } }: LiveQuery, guid: string | undefined): NamedAccount {
  const account: Account = checker.account(guid);
  return { guid: account.userGuid, isService: account === caller && caller.isService === true };
}

/** Bytes of a query with its parameters: each node reads them at once, on its main thread. */
const MAX_BODY_BYTES = 1024 * 1024;

function boundedBody(node: RemoteRows, request: RemoteRequest): string {
  const least = request.text.length + lengthOf(new Map(request.constants));
  const body = least > MAX_BODY_BYTES ? '' : remoteBody(request);
  const bytes = Math.max(least, Buffer.byteLength(body));
  if (bytes > MAX_BODY_BYTES) throw tooLong(node, 'remote-bytes', { n: bytes, max: MAX_BODY_BYTES });
  return body;
}

/** Characters of the texts in it. */
function lengthOf(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + lengthOf(item), 0);
  if (value instanceof Map) return [...value].reduce((sum, [name, item]) => sum + name.length + lengthOf(item), 0);
  return 0;
}

async function answerOf(node: RemoteRows, name: string, running: Promise<RemoteAnswer>): Promise<Answered> {
  const answer = await running;
  if (answer === 'unreachable') throw new QueryError(10501, node.nodeAt, { name });
  if (answer === 'too-old') throw detailed(node, `node ${name} has a version without remote`);
  if (answer === 'refused') throw detailed(node, `node ${name} refuses the account or the key of this node`);
  if ('failure' in answer) throw detailed(node, `node ${name}: ${answer.failure}`);
  return { name, bytes: answer.bytes };
}

async function* rowsOf(
  node: RemoteRows,
  { name, bytes }: Answered,
  signal: AbortSignal,
): AsyncGenerator<readonly MapValue[]> {
  try {
    yield* remoteRowsOf(bytes, (columns) => {
      if (!hasColumns(node, columns)) throw detailed(node, `columns have changed meanwhile on node ${name}`);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(node, name, error);
  }
}

/** A plan without columns takes any. */
function hasColumns({ rows: { columns, overflow } }: RemoteRows, found: ColumnsLine): boolean {
  if (columns.length === 0 && overflow) return true;
  const isSame = columns.every(
    ({ name, type }, at) => found.columns[at]?.[0] === name && found.columns[at]?.[1] === type,
  );
  return isSame && columns.length === found.columns.length && (overflow !== undefined || found.without === null);
}

function failureOf(node: RemoteRows, name: string, error: unknown): unknown {
  const span = { begin: node.begin, end: node.end };
  if (error instanceof QueryError) return error;
  if (error instanceof LineTooLong) return tooLong(node, 'remote-row-bytes', { n: error.bytes, max: MAX_LINE_BYTES });
  if (!(error instanceof EndedElsewhere)) return new NodeLost(name, { cause: error });
  const { line } = error;
  if (line.end === 'error') return new QueryError(line.code, span, line.values);
  if (line.end === 'refused') return detailed(node, `node ${name}: ${line.detail}`);
  const { reason, code, detail } = line;
  // It stops, or has lost this node.
  if (code === undefined || detail === undefined) return new NodeLost(name, { cause: error });
  return new RemoteEnd({ reason, code, detail });
}

const detailed = ({ begin, end }: RemoteRows, detail: string): QueryError =>
  new QueryError(93000, { begin, end }, { detail });

const tooLong = (
  { begin, end }: RemoteRows,
  term: 'remote-bytes' | 'remote-row-bytes',
  counts: { readonly n: number; readonly max: number },
): QueryError => new QueryError(90009, { begin, end }, { what: { term }, ...counts });
