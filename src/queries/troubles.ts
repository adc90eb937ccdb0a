// Why a query ends before it has given all its rows (12.1): in the words of the status record, and as the answer to
// whoever waits for its rows.

import { databaseUnreachable, invalidQuery, queryEnded, Refusal } from '#contract/errors.ts';
import { Exhausted, NoSpace, TableGone } from '#engines/engine.ts';
import { RunFailure } from '#query/evaluate/failures.ts';
import { type MistakeCode, messageOf } from '#query/messages.ts';
import { placeOf, QueryMistake } from '#query/mistake.ts';
import { isOutOfSpace } from '#store/no-space.ts';
import { StoreUnreachable } from '#store/unreachable.ts';
import { type Limit, LimitReached } from './limits.ts';

/** The reasons of 12.1 that are no success. */
export type CancelReason = 'UserRequest' | 'CommandFailure' | 'LowDisk' | 'NetworkFailure' | 'Interrupted';

export interface Trouble {
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

export const cancelledOnRequest = (): Trouble => coded('UserRequest', 93001);
export const sessionEnded = (): Trouble => coded('Interrupted', 93002);
export const connectionLost = (): Trouble => ({ reason: 'NetworkFailure', thrown: queryEnded('connection closed') });
export const serviceStopping = (): Trouble => ({ reason: 'Interrupted', thrown: queryEnded('service is stopping') });

export const ranTooLong = (most: Temporal.Duration): Trouble =>
  limited(new LimitReached('time', `the query ran for more than ${most.total('seconds')} seconds`));

function coded(reason: CancelReason, code: MistakeCode, values: { detail?: string } = {}): Trouble {
  const detail = messageOf(code, values, 'en');
  return { reason, code, detail, thrown: queryEnded(`(${code}) ${detail}`) };
}

const limited = ({ limit, message }: LimitReached): Trouble => ({
  ...coded('CommandFailure', 93000, { detail: message }),
  limit,
});

/** Of something that was thrown while the query ran. */
export function troubleOf(error: unknown, text: string): Trouble {
  if (error instanceof QueryMistake) return mistaken(error, text);
  if (error instanceof TableGone) return mistaken(new QueryMistake(10001, START, { name: error.message }), text);
  if (error instanceof RunFailure) return mistaken(passed(error), text);
  if (error instanceof LimitReached) return limited(error);
  if (error instanceof Exhausted) return { ...coded('LowDisk', 93003), limit: error.resource };
  if (error instanceof NoSpace || isOutOfSpace(error)) return { ...coded('LowDisk', 93003), limit: 'disk' };
  if (error instanceof StoreUnreachable) return troubleOf(databaseUnreachable(), text);
  const known = error instanceof Refusal;
  const detail = messageOf(93000, { detail: known ? error.message : 'internal error' }, 'en');
  return { reason: 'CommandFailure', code: 93000, detail, thrown: error, ...(known ? {} : { isDefect: true }) };
}

const START = { begin: 0, end: 0 };

/** It was stopped by the first one too many. */
const passed = ({ code, most }: RunFailure): QueryMistake => new QueryMistake(code, START, { n: most + 1, max: most });

function mistaken(mistake: QueryMistake, text: string): Trouble {
  const { code, message } = mistake;
  return { reason: 'CommandFailure', code, detail: message, thrown: refusedQuery(mistake, text) };
}

/** The answer to a text that does not check: always in English, because clients match on it. */
export function refusedQuery(mistake: QueryMistake, text: string): Refusal {
  const refusal = invalidQuery(mistake.code, mistake.message, placeOf(text, mistake.begin));
  return Object.assign(refusal, { cause: mistake });
}

/** What a check gives; a mistake in the text as the refusal that callers hear. */
export async function orRefused<T>(checking: Promise<T>, text: string): Promise<T> {
  try {
    return await checking;
  } catch (error) {
    throw error instanceof QueryMistake ? refusedQuery(error, text) : error;
  }
}
