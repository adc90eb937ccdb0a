// The rows of a panel: its query run to the end. A browser has six connections for all of its tabs, and a waiting query holds
// one, so that few panels of a dashboard run at once.

import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { whileSignedIn } from '#console/client/answers.ts';
import { Unreachable } from '#console/client/service-error.ts';
import type { Row } from '#console/results/row.ts';
import { runToEnd } from '#console/results/run-to-end.ts';
import { resolveRange, type TimeRange } from '#console/time/ranges.ts';

export const MAX_CONCURRENT = 3;

export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs `most` works at once, the others in the order in which they came. */
export function createLimiter(most: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

interface PanelRequest {
  readonly query: string;
  readonly range: TimeRange;
  /** Rises when the reader asks for new rows; a repetition by itself leaves it. */
  readonly round: number;
  /** Seconds between two repetitions; 0 is none. */
  readonly every: number;
  readonly limiter: Limiter;
}

export const usePanelRows = ({ query, range, round, every, limiter }: PanelRequest): UseQueryResult<readonly Row[]> =>
  useQuery<readonly Row[]>({
    queryKey: ['panel', query, range, round],
    queryFn: ({ signal, client, queryKey }) => {
      const isRefresh = client.getQueryData(queryKey) !== undefined;
      return limiter(async () => {
        signal.throwIfAborted();
        return await runToEnd({ text: query, interval: resolveRange(range) }, signal, isRefresh);
      });
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A mistake stays one; a lost connection is waited for, and the rows before stay.
    retry: (_count, error) => error instanceof Unreachable,
    placeholderData: keepPreviousData,
    refetchInterval: every > 0 && whileSignedIn(every * 1000),
  });
