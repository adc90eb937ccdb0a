// The records of a family: pages of its list as they are scrolled to, and one record alone.

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { whileSignedIn } from '#console/client/answers.ts';
import type { DatedAnswer } from '#console/components/aged.tsx';
import { useLanguage } from '#console/labels/labels.tsx';
import type { AnyFamily, AnyRecord } from '#console/pages/administration/family.ts';

const PAGE_ROWS = 200;
const LISTS = 'administration';

export interface Records {
  readonly records: readonly AnyRecord[] | undefined;
  readonly total: number;
  readonly error: unknown;
  readonly answer: DatedAnswer;
  readMore(): void;
  refetch(): void;
}

export function useRecords(family: AnyFamily, scope: string, keywords: string | undefined): Records {
  const { locale } = useLanguage();
  const list = useInfiniteQuery({
    queryKey: [LISTS, family.id, scope, keywords ?? '', locale],
    queryFn: ({ pageParam, signal, client, queryKey }) =>
      family.list({
        offset: pageParam,
        limit: PAGE_ROWS,
        ...(keywords === undefined ? {} : { keywords }),
        scope,
        locale,
        options: { signal, isRefresh: client.getQueryData(queryKey) !== undefined },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const read = pages.reduce((sum, { records }) => sum + records.length, 0);
      return read < total ? read : undefined;
    },
    placeholderData: keepPreviousData,
    ...(family.every === undefined ? {} : { refetchInterval: whileSignedIn(family.every) }),
  });
  return {
    records: list.data?.pages.flatMap(({ records }) => records),
    total: list.data?.pages[0]?.total ?? 0,
    error: list.error,
    answer: list,
    readMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
    },
    refetch: () => void list.refetch(),
  };
}

/** The record of a key: undefined while it is on its way, null where there is none. */
export function useRecord(family: AnyFamily, key: string, listed: readonly AnyRecord[] | undefined) {
  const { get } = family;
  const whole = useQuery({
    queryKey: [LISTS, family.id, 'record', key],
    queryFn: ({ signal, client, queryKey }) =>
      get?.(key, { signal, isRefresh: client.getQueryData(queryKey) !== undefined }) ?? null,
    enabled: get !== undefined,
    ...(family.every === undefined ? {} : { refetchInterval: whileSignedIn(family.every) }),
  });
  const inList = listed?.find((record) => family.keyOf(record) === key);
  if (get === undefined) return { record: listed && (inList ?? null), error: undefined };
  return { record: whole.data, error: whole.error };
}
