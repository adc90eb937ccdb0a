// Reasons for the early end of a query (12.1), for the status record and for the response of a streaming request.

import { ApiError, databaseUnreachable, invalidQuery, queryEnded, queryErrorText } from '#contract/errors.ts';
import type { Locale } from '#contract/values.ts';
import { Exhausted, NoSpace, TableGone, TimeExceeded } from '#logs/log-store.ts';
import { type Limit, LimitReached } from '#queries/limits/limits.ts';
import { messageOf, type QueryErrorCode } from '#query/model/messages.ts';
import { findingsReport, positionOf, QueryError } from '#query/model/query-error.ts';
import { RunFailure } from '#query/values/failures.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { StoreUnreachable } from '#store/unreachable.ts';

/** Reasons of 12.1 other than success. */
export type CancelReason = 'UserRequest' | 'CommandFailure' | 'LowDisk' | 'NetworkFailure' | 'Interrupted';

export interface QueryEnd {
  readonly reason: CancelReason;
  readonly code?: number;
  readonly detail?: string;
  /** Error for the streaming request: an ApiError, or an unexpected error. */
  readonly thrown: unknown;
  /** The exceeded limit. */
  readonly limit?: Limit;
  /** Set for an unexpected error. */
  readonly isDefect?: true;
}

/** A node that ran a part of the query was lost before its last row. */
export class NodeLost extends Error {
  override readonly name = 'NodeLost';
  readonly node: string;

  constructor(node: string, options?: ErrorOptions) {
    super(`node ${node} was lost`, options);
    this.node = node;
  }
}

/** The part of the query on another node was ended there. */
export class RemoteEnd extends Error {
  override readonly name = 'RemoteEnd';
  readonly end: Pick<QueryEnd, 'reason' | 'detail'> & { readonly code: number };

  constructor(end: RemoteEnd['end']) {
    super('the query was ended on its node');
    this.end = end;
  }
}

export const cancelledOnRequest = (): QueryEnd => endWithCode('UserRequest', 93001);
export const sessionEnded = (): QueryEnd => endWithCode('Interrupted', 93002);
export const connectionLost = (): QueryEnd => ({ reason: 'NetworkFailure', thrown: queryEnded('connection closed') });
export const serviceStopping = (): QueryEnd => ({ reason: 'Interrupted', thrown: queryEnded('service is stopping') });

export const timedOut = (most: Temporal.Duration): QueryEnd =>
  limitEnd(new LimitReached('time', `the query ran for more than ${most.total('seconds')} seconds`));

function endWithCode(
  reason: CancelReason,
  code: QueryErrorCode,
  values: { detail?: string; name?: string } = {},
): QueryEnd {
  const detail = messageOf(code, values, 'en');
  return { reason, code, detail, thrown: queryEnded(`(${code}) ${detail}`) };
}

const limitEnd = ({ limit, message }: LimitReached): QueryEnd => ({
  ...endWithCode('CommandFailure', 93000, { detail: message }),
  limit,
});

/** The end for an error thrown during the run. */
export function queryEndOf(error: unknown, text: string, locale: Locale): QueryEnd {
  if (error instanceof QueryError) return queryErrorEnd(error, text, locale);
  if (error instanceof TableGone)
    return queryErrorEnd(new QueryError(10001, START, { name: error.message }), text, locale);
  if (error instanceof RunFailure) return queryErrorEnd(exceededError(error), text, locale);
  if (error instanceof NodeLost) return endWithCode('NetworkFailure', 93004, { name: error.node });
  if (error instanceof RemoteEnd)
    return { ...error.end, thrown: queryEnded(`(${error.end.code}) ${error.end.detail}`) };
  if (error instanceof LimitReached) return limitEnd(error);
  if (error instanceof TimeExceeded) return limitEnd(new LimitReached('time', error.message));
  if (error instanceof Exhausted) return { ...endWithCode('LowDisk', 93003), limit: error.resource };
  if (error instanceof NoSpace || isOutOfSpace(error)) return { ...endWithCode('LowDisk', 93003), limit: 'disk' };
  if (error instanceof StoreUnreachable) return queryEndOf(databaseUnreachable(), text, locale);
  const known = error instanceof ApiError;
  const detail = messageOf(93000, { detail: known ? error.message : 'internal error' }, 'en');
  return { reason: 'CommandFailure', code: 93000, detail, thrown: error, ...(known ? {} : { isDefect: true }) };
}

const START = { begin: 0, end: 0 };

/** The run stopped at the first element beyond the limit. */
const exceededError = ({ code, most }: RunFailure): QueryError =>
  new QueryError(code, START, { n: most + 1, max: most });

function queryErrorEnd(mistake: QueryError, text: string, locale: Locale): QueryEnd {
  const { code, message } = mistake;
  return { reason: 'CommandFailure', code, detail: message, thrown: invalidQueryError(mistake, text, locale) };
}

/** Code and message are always in English, because clients match on them; the findings beside them are in the locale. */
export function invalidQueryError(mistake: QueryError, text: string, locale: Locale): ApiError {
  const { code, message, begin, further, warnings } = mistake;
  const findings = findingsReport({ errors: [mistake, ...further], warnings }, text, locale);
  return Object.assign(invalidQuery(queryErrorText(code, message, positionOf(text, begin)), findings), {
    cause: mistake,
  });
}

/** As `query_error` of a record shows it. */
export const storedErrorText = ({ code, message, begin }: QueryError, text: string): string =>
  queryErrorText(code, message, positionOf(text, begin));

/** The result of a check; a QueryError becomes an ApiError with the findings in the locale of the caller. */
export async function rejectInvalid<T>(checking: Promise<T>, text: string, locale: Locale): Promise<T> {
  try {
    return await checking;
  } catch (error) {
    throw error instanceof QueryError ? invalidQueryError(error, text, locale) : error;
  }
}
