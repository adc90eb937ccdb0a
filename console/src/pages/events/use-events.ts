// The events of the page: pages of the list as they are scrolled to, the histogram over them, and how many have come since.

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf, useAnswer } from '#console/client/answers.ts';
import { callWith } from '#console/client/call.ts';
import { keepRows } from '#console/client/kept-rows.ts';
import { useNewEvents } from '#console/events/event-stream.ts';
import { now } from '#console/time/moments.ts';
import { resolveRange } from '#console/time/ranges.ts';
import { type EventRecord, type EventsSearch, filtersOf, fits, orderOf, rangeIn } from './events-search.ts';

const LIST = 'GET /api/core/events';
const HISTOGRAM = 'GET /api/core/events/histogram';
const DETAIL = 'GET /api/core/events/:guid';
const PAGE_ROWS = 200;

export function useEvents(search: EventsSearch) {
  // Relative ranges end at this moment until the reader asks for newer ones: nothing moves under the eyes.
  const [at, setAt] = useState(now);
  const [arrived, setArrived] = useState<readonly EventRecord[]>([]);
  const client = useQueryClient();
  const interval = resolveRange(rangeIn(search), at);
  const filters = filtersOf(search, interval);
  const sorted = { ...filters, ...orderOf(search) };
  const list = useInfiniteQuery({
    queryKey: keyOf(LIST, sorted),
    queryFn: ({ pageParam, signal }) => callWith({ signal }, LIST, { ...sorted, offset: pageParam, limit: PAGE_ROWS }),
    initialPageParam: 0,
    placeholderData: keepRows(sorted),
    getNextPageParam: ({ total_count }, pages) => {
      const read = pages.reduce((sum, { events }) => sum + events.length, 0);
      return read < total_count ? read : undefined;
    },
  });
  const histogram = useAnswer(HISTOGRAM, filters, { keepsPrevious: true });
  useNewEvents((event) => setArrived((before) => [...before, event]));

  function refresh() {
    setAt(now());
    setArrived([]);
    for (const operation of [LIST, HISTOGRAM, DETAIL]) void client.invalidateQueries({ queryKey: [operation] });
  }
  const events = list.data?.pages.flatMap((page) => page.events);
  const shown = new Set(events?.map(({ guid }) => guid));
  return {
    histogram,
    events,
    total: list.data?.pages[0]?.total_count ?? 0,
    list,
    newCount: arrived.filter((event) => !shown.has(event.guid) && fits(event, search)).length,
    readMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
    refresh,
  };
}
