// Whose a query is, and what others hear of it.

import type { Caller, Rightful } from '#access/caller.ts';
import { type ApiError, CountedApiError, noSuchQuery } from '#contract/errors.ts';
import type { LiveQuery } from './live-query.ts';

/** That it is another's is for the trail alone: whoever asks hears the same as of a query that never was. */
export function queryNotFound(id: number, query: LiveQuery | undefined, caller: Caller): ApiError {
  const refusal = noSuchQuery(id);
  if (!query || isOwn(query, caller)) return refusal;
  return new CountedApiError(refusal, `query ${id}`, { id, login_name: query.request.caller.login });
}

export const isOwn = ({ request }: LiveQuery, caller: Rightful): boolean => request.caller.userGuid === caller.userGuid;
