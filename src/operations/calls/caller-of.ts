// The account of a call: that of its credentials, or, for an operation between nodes, the one that the node names.

import type { Accounts } from '#access/accounts/accounts.ts';
import type { Caller } from '#access/caller.ts';
import type { AnyEndpoint } from '#operations/endpoint.ts';
import type { RequestFacts } from './call.ts';

/** Undefined where there is none. */
export async function callerOf(
  { isBetweenNodes }: AnyEndpoint,
  { credentials, readAhead, remoteIp, forwarded }: RequestFacts,
  accounts: Accounts,
): Promise<Caller | undefined> {
  if (!isBetweenNodes) return await (readAhead ?? credentials?.read(accounts))?.(remoteIp);
  return forwarded?.account && (await accounts.byName(forwarded.account));
}
