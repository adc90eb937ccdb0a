// Why a query ends before it has given all its rows (12.1): in the words of the status record, and as the answer to
// whoever waits for its rows.

import { ApiError, databaseUnreachable, invalidQuery, queryEnded } from '#contract/errors.ts';
import { Exhausted, NoSpace, TableGone } from '#engines/engine.ts';
import { messageOf, type QueryErrorCode } from '#query/model/messages.ts';
import { placeOf, QueryError } from '#query/model/query-error.ts';
import { RunFailure } from '#query/values/failures.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { type Limit, LimitReached } from './limits.ts';

/** The reasons of 12.1 that are no success. */
export type CancelReason = 'UserRequest' | 'CommandFailure' | 'LowDisk' | 'NetworkFailure' | 'Interrupted';

export interface QueryEnd {
  readonly reason: CancelReason;
  readonly code?: number;
  readonly detail?: string;
  /** What whoever waits for rows hears: a refusal, or a defect. */
  readonly thrown: unknown;
  /** Which one it has run into. */
  readonly limit?: Limit;
  /** Whether nobody foresaw it. */
  readonly isDefect?: true;
}

export const cancelledOnRequest = (): QueryEnd => endWithCode('UserRequest', 93001);
export const sessionEnded = (): QueryEnd => endWithCode('Interrupted', 93002);
export const connectionLost = (): QueryEnd => ({ reason: 'NetworkFailure', thrown: queryEnded('connection closed') });
export const serviceStopping = (): QueryEnd => ({ reason: 'Interrupted', thrown: queryEnded('service is stopping') });

export const timedOut = (most: Temporal.Duration): QueryEnd =>
  limitEnd(new LimitReached('time', `the query ran for more than ${most.total('seconds')} seconds`));

function endWithCode(reason: CancelReason, code: QueryErrorCode, values: { detail?: string } = {}): QueryEnd {
  const detail = messageOf(code, values, 'en');
  return { reason, code, detail, thrown: queryEnded(`(${code}) ${detail}`) };
}

const limitEnd = ({ limit, message }: LimitReached): QueryEnd => ({
  ...endWithCode('CommandFailure', 93000, { detail: message }),
  limit,
});

/** Of something that was thrown while the query ran. */
export function queryEndOf(error: unknown, text: string): QueryEnd {
  if (error instanceof QueryError) return queryErrorEnd(error, text);
  if (error instanceof TableGone) return queryErrorEnd(new QueryError(10001, START, { name: error.message }), text);
  if (error instanceof RunFailure) return queryErrorEnd(exceededError(error), text);
  if (error instanceof LimitReached) return limitEnd(error);
  if (error instanceof Exhausted) return { ...endWithCode('LowDisk', 93003), limit: error.resource };
  if (error instanceof NoSpace || isOutOfSpace(error)) return { ...endWithCode('LowDisk', 93003), limit: 'disk' };
  if (error instanceof StoreUnreachable) return queryEndOf(databaseUnreachable(), text);
  const known = error instanceof ApiError;
  const detail = messageOf(93000, { detail: known ? error.message : 'internal error' }, 'en');
  return { reason: 'CommandFailure', code: 93000, detail, thrown: error, ...(known ? {} : { isDefect: true }) };
}

const START = { begin: 0, end: 0 };

/** It was stopped by the first one too many. */
const exceededError = ({ code, most }: RunFailure): QueryError =>
  new QueryError(code, START, { n: most + 1, max: most });

function queryErrorEnd(mistake: QueryError, text: string): QueryEnd {
  const { code, message } = mistake;
  return { reason: 'CommandFailure', code, detail: message, thrown: invalidQueryError(mistake, text) };
}

/** The answer to a text that does not check: always in English, because clients match on it. */
export function invalidQueryError(mistake: QueryError, text: string): ApiError {
  const refusal = invalidQuery(mistake.code, mistake.message, placeOf(text, mistake.begin));
  return Object.assign(refusal, { cause: mistake });
}

/** What a check gives; a mistake in the text as the refusal that callers hear. */
export async function rejectInvalid<T>(checking: Promise<T>, text: string): Promise<T> {
  try {
    return await checking;
  } catch (error) {
    throw error instanceof QueryError ? invalidQueryError(error, text) : error;
  }
}
