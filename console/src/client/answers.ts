// Answers of operations in components: fetched once, shared by all that ask for the same, repeated on request.

import { keepPreviousData, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AnswerFor, JsonOperation, RequestFor } from '#client/call.ts';
import { callWith } from './call.ts';
import { onReconnected } from './connection.ts';
import { ServiceError, Unreachable } from './service-error.ts';
import { isSignedIn } from './session.ts';

const MAX_RETRIES = 3;
const RETRY_MS = [1000, 2000, 4000];

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        // An answer of the service is final. Without one the request waits for the connection: what is shown stays.
        retry: (count, error) =>
          error instanceof Unreachable ||
          (error instanceof ServiceError && error.code === 'unavailable' && count < MAX_RETRIES),
        retryDelay: (count) => RETRY_MS[Math.min(count, RETRY_MS.length - 1)] ?? 0,
      },
    },
  });
  onReconnected(() => void repeatShown(client));
  return client;
}

/** Asks for everything again that is on the page. A query of the reader does not run again by itself. */
export const repeatShown = (client: QueryClient): Promise<void> =>
  client.refetchQueries({ type: 'active', predicate: ({ meta }) => meta?.isRun !== true });

interface AnswerOptions {
  /** Repeats the request after so many milliseconds while the page is visible. */
  readonly every?: number;
  /** False while the parameters are not known yet. */
  readonly isEnabled?: boolean;
  /** Shows the answer to the parameters before while the next one is fetched. */
  readonly keepsPrevious?: boolean;
}

/** The answer of an operation that reads. A repetition tells the service that the reader did not cause it. */
export function useAnswer<O extends JsonOperation>(
  operation: O,
  params: RequestFor<O>,
  { every, isEnabled = true, keepsPrevious = false }: AnswerOptions = {},
): UseQueryResult<AnswerFor<O>> {
  return useQuery<AnswerFor<O>>({
    queryKey: keyOf(operation, params),
    queryFn: ({ signal, client, queryKey }) => {
      const isRefresh = client.getQueryData(queryKey) !== undefined;
      return callWith({ signal, isRefresh }, operation, params);
    },
    enabled: isEnabled,
    ...(every === undefined ? {} : { refetchInterval: whileSignedIn(every) }),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** For `refetchInterval`: below the sign-in page nothing is repeated, every answer would be a refusal. */
export const whileSignedIn = (every: number) => (): number | false => isSignedIn() && every;

/** For `invalidateQueries`: without parameters all answers of the operation. */
export const keyOf = <O extends JsonOperation>(operation: O, params?: RequestFor<O>): readonly unknown[] =>
  params === undefined ? [operation] : [operation, params];
