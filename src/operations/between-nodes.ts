// What operations know of other nodes: objects that one node owns, and calls that a node makes for an account.

import type { NamedAccount } from '#cluster/calls/signed-header.ts';

/** Objects that live in the node that made them. */
export type OwnedKind = 'query' | 'upload';

/** The node that has forwarded a call, and the account for which it makes one of its own. */
export interface ForwardedBy {
  readonly node: string;
  readonly account?: NamedAccount;
}
