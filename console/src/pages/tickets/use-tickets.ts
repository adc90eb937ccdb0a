// The tickets of the page: pages of a list as they are asked for. There is no stream of tickets, so that lists are read
// again while they are shown, and at once when a new event belongs to a ticket.

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { RequestFor } from '#client/call.ts';
import { keyOf, whileSignedIn } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { keepRows } from '#console/client/kept-rows.ts';
import { useNewEvents } from '#console/events/event-stream.ts';

const LIST = 'GET /api/core/tickets';
const TICKET = 'GET /api/core/tickets/:guid';
const COMMENTS = 'GET /api/core/tickets/:guid/comments';
const REFRESH_MS = 15_000;

export function useTicketList(filters: RequestFor<typeof LIST>, pageRows: number) {
  const list = useInfiniteQuery({
    queryKey: keyOf(LIST, filters),
    queryFn: ({ pageParam, signal, client, queryKey }) => {
      const isRefresh = pageParam === 0 && client.getQueryData(queryKey) !== undefined;
      return callWith({ signal, isRefresh }, LIST, { ...filters, offset: pageParam, limit: pageRows });
    },
    initialPageParam: 0,
    placeholderData: keepRows(filters),
    getNextPageParam: ({ total }, pages) => {
      const read = pages.reduce((sum, { tickets }) => sum + tickets.length, 0);
      return read < total ? read : undefined;
    },
    refetchInterval: whileSignedIn(REFRESH_MS),
  });
  const read = list.data?.pages.flatMap((page) => page.tickets);
  return {
    // A ticket that came between two pages shifts the second one.
    tickets: read && [...new Map(read.map((ticket) => [ticket.guid, ticket])).values()],
    total: list.data?.pages[0]?.total ?? 0,
    answer: list,
    error: list.error,
    readMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
    refetch: () => void list.refetch(),
  };
}

/** Reads everything of tickets again. */
export function useTicketRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([LIST, TICKET, COMMENTS].map((operation) => client.invalidateQueries({ queryKey: [operation] })));
  };
}

export function useNewTickets(): void {
  const refresh = useTicketRefresh();
  useNewEvents(({ ticket_guid }) => {
    if (ticket_guid !== null) void refresh();
  });
}
