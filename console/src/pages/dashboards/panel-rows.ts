// The rows of a panel: its query run to the end. A browser has six connections for all of its tabs, and a waiting query holds
// one, so that few panels of a dashboard run at once.

import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { whileSignedIn } from '#console/client/answers.ts';
import type { Limiter } from '#console/client/limiter.ts';
import { Unreachable } from '#console/client/service-error.ts';
import { changeIn } from '#console/results/refusal.ts';
import type { Row } from '#console/results/row.ts';
import { runToEnd } from '#console/results/run-to-end.ts';
import { resolveRange, type TimeRange } from '#console/time/ranges.ts';

export const MAX_CONCURRENT = 3;

interface PanelRequest {
  readonly query: string;
  readonly range: TimeRange;
  /** Rises when the reader asks for new rows; a repetition by itself leaves it. */
  readonly round: number;
  /** Seconds between two repetitions; 0 is none. */
  readonly every: number;
  readonly limiter: Limiter;
}

interface PanelAnswer {
  readonly answer: UseQueryResult<readonly Row[]>;
  /** For a click of the reader: one run in which the query may change something. */
  runByHand(): void;
}

export function usePanelRows({ query, range, round, every, limiter }: PanelRequest): PanelAnswer {
  const isByHand = useRef(false);
  /** The text that has been refused because it changes something. */
  const changing = useRef<string>(undefined);
  const answer = useQuery<readonly Row[]>({
    queryKey: ['panel', query, range, round],
    queryFn: ({ signal, client, queryKey }) => {
      const isRefresh = client.getQueryData(queryKey) !== undefined;
      const mayChange = isByHand.current;
      isByHand.current = false;
      return limiter(async () => {
        signal.throwIfAborted();
        return await runToEnd(
          { text: query, interval: resolveRange(range), mayChange },
          signal,
          isRefresh && !mayChange,
        );
      });
    },
    staleTime: Number.POSITIVE_INFINITY,
    // A mistake stays one; a lost connection is waited for, and the rows before stay.
    retry: (_count, error) => error instanceof Unreachable,
    placeholderData: keepPreviousData,
    // A query that runs by a click is not repeated by itself.
    refetchInterval({ state }) {
      if (changeIn(state.error)) changing.current = query;
      return every > 0 && changing.current !== query && whileSignedIn(every * 1000)();
    },
  });
  const runByHand = () => {
    isByHand.current = true;
    void answer.refetch();
  };
  return { answer, runByHand };
}
