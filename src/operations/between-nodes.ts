// What operations know of other nodes: objects that one node owns, answers of all nodes, and calls that a node makes for an account.

import type { NamedAccount } from '#access/accounts.ts';

/** Objects that live in the node that made them. */
export type OwnedKind = 'query' | 'upload';

/** The answers of other nodes to a list. */
export interface OtherAnswers {
  readonly answers: readonly unknown[];
  /** Names of the nodes that did not answer, or refused to. */
  readonly unanswered: readonly string[];
}

/** The node that has forwarded a call, and the account for which it makes one of its own. */
export interface ForwardedBy {
  readonly node: string;
  readonly account?: NamedAccount;
}

/** The path of the queries that a node runs for another one. */
export const NODE_QUERIES = '/api/core/node-queries';
export const NODE_QUERY_TYPE = 'application/x-vigil-query';
