// Ownership of queries.

import type { Caller, Rightful } from '#access/caller.ts';
import { type ApiError, CountedApiError, noSuchQuery } from '#contract/errors.ts';
import type { LiveQuery } from '#queries/live-query.ts';

/** The audit trail records that the query belongs to another account; the response equals that for an unknown query. */
export function queryNotFound(id: number, query: LiveQuery | undefined, caller: Caller): ApiError {
  const refusal = noSuchQuery(id);
  if (!query || isOwn(query, caller)) return refusal;
  return new CountedApiError(refusal, `query ${id}`, { id, login_name: query.request.caller.login });
}

export const isOwn = ({ request }: LiveQuery, caller: Rightful): boolean => request.caller.userGuid === caller.userGuid;
