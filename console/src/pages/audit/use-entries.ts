// The entries of the page: pages of the list as they are scrolled to, and one entry by its number.

import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '#console/client/answers.ts';
import { call, callWith } from '#console/client/call.ts';
import { keepRows } from '#console/client/kept-rows.ts';
import { useLanguage } from '#console/labels/labels.tsx';
import { now } from '#console/time/moments.ts';
import { resolveRange } from '#console/time/ranges.ts';
import { type AuditEntry, type AuditSearch, filtersOf, isOf, rangeIn } from './audit-search.ts';

const LIST = 'GET /api/core/audit-logs';
const PAGE_ROWS = 200;

export function useEntries(search: AuditSearch) {
  // The list ends at this moment until the reader asks for newer entries: a new one would shift every page.
  const [at, setAt] = useState(now);
  const { locale } = useLanguage();
  const client = useQueryClient();
  const filters = { ...filtersOf(search, resolveRange(rangeIn(search), at)), locale };
  const list = useInfiniteQuery({
    queryKey: keyOf(LIST, filters),
    queryFn: ({ pageParam, signal }) => callWith({ signal }, LIST, { ...filters, offset: pageParam, limit: PAGE_ROWS }),
    initialPageParam: 0,
    placeholderData: keepRows(filters),
    getNextPageParam: ({ total }, pages) => {
      const read = pages.reduce((sum, { audit_logs }) => sum + audit_logs.length, 0);
      return read < total ? read : undefined;
    },
  });
  const read = list.data?.pages.flatMap((page) => page.audit_logs);
  return {
    filters,
    entries: read && withoutRepeats(read).filter((entry) => isOf(entry, search)),
    total: list.data?.pages[0]?.total ?? 0,
    isWhole: !list.hasNextPage,
    list,
    readMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
    refresh: () => {
      setAt(now());
      void client.invalidateQueries({ queryKey: [LIST] });
    },
  };
}

/** The last second of the range still grows: its new entries shift the next page by as many. */
const withoutRepeats = (entries: readonly AuditEntry[]): readonly AuditEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

/** Entries that may be written between two calls. */
const SHIFT = 50;

/** An entry by its number. Numbers have no gaps, so that its place in the whole list follows from the newest number. */
export function useEntry(id: number, known: AuditEntry | undefined) {
  const { locale } = useLanguage();
  return useQuery({
    queryKey: [LIST, 'entry', id, locale],
    queryFn: async (): Promise<AuditEntry | null> => {
      const { total } = await call(LIST, { limit: 0, locale });
      if (id < 1 || id > total) return null;
      const { audit_logs } = await call(LIST, { offset: total - id, limit: SHIFT, locale });
      return audit_logs.find((entry) => entry.id === id) ?? null;
    },
    enabled: known === undefined,
  });
}
