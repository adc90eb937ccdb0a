// The audit entry of something that a query has done outside of its result.

import { truncateText } from '#audit/entry.ts';
import type { Trail } from '#audit/trail.ts';
import type { LiveQuery } from '#queries/live-query.ts';

export interface RunDeed {
  /** GUID of the account with whose rights it was done. */
  readonly account: Parameters<LiveQuery['checker']['account']>[0];
  readonly module: 'query' | 'lookups';
  readonly method: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export async function recordDeed(
  query: LiveQuery,
  { account: guid, module, method, facts }: RunDeed,
  trail: Pick<Trail, 'record'>,
): Promise<void> {
  const { remoteIp, text } = query.request;
  const account = query.checker.account(guid);
  await trail.record({
    user_guid: account.userGuid,
    user_name: account.login,
    company_guid: account.companyGuid,
    remote_ip: remoteIp,
    module,
    method,
    params: { q: truncateText(text) },
    msg_params: { ...facts, query_id: query.id },
  });
}
