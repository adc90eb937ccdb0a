// The rules of the page: both kinds in one list, one rule, and the requests that change them.

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useAnswer } from '#console/client/answers.ts';
import { call, callWith } from '#console/client/call.ts';
import { keepRows } from '#console/client/kept-rows.ts';
import { present } from '#console/client/present.ts';
import { useAccount } from '#console/client/session.ts';
import { isAtLeast } from '#contract/values.ts';
import { KINDS, type Rule, type RuleKind, type RulesSearch, ruleOf } from './rules-search.ts';

const PAGE_ROWS = 200;
const REFRESH_MS = 15_000;

function useKind(kind: RuleKind, search: RulesSearch) {
  const filters = present({
    keywords: search.keywords,
    priority: search.priority,
    category_guid: search.category,
    enabled: search.enabled === undefined ? undefined : search.enabled === 'on',
  });
  const operation = `GET /api/core/${kind}-rules` as const;
  return useInfiniteQuery({
    queryKey: [operation, filters],
    queryFn: async ({ pageParam, signal }) =>
      await callWith({ signal }, operation, { ...filters, offset: pageParam, limit: PAGE_ROWS }),
    initialPageParam: 0,
    placeholderData: keepRows(filters),
    getNextPageParam: ({ total_count }, pages) => {
      const read = pages.reduce((sum, { rules }) => sum + rules.length, 0);
      return read < total_count ? read : undefined;
    },
    enabled: search.kind === undefined || search.kind === kind,
  });
}

export function useRules(search: RulesSearch) {
  const lists = { stream: useKind('stream', search), batch: useKind('batch', search) };
  const asked: readonly RuleKind[] = search.kind === undefined ? KINDS : [search.kind];
  const rules = asked.flatMap(
    (kind): readonly Rule[] =>
      lists[kind].data?.pages.flatMap((page) => page.rules.map((rule) => ruleOf(kind, rule))) ?? [],
  );
  return {
    answers: asked.map((kind) => lists[kind]),
    rules: asked.every((kind) => lists[kind].data) ? rules : undefined,
    total: asked.reduce((sum, kind) => sum + (lists[kind].data?.pages[0]?.total_count ?? 0), 0),
    error: asked.map((kind) => lists[kind].error).find((error) => error !== null),
    readMore() {
      for (const kind of asked) {
        const { hasNextPage, isFetchingNextPage, fetchNextPage } = lists[kind];
        if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
      }
    },
  };
}

export function useRule(kind: RuleKind, guid: string) {
  const answer = useAnswer(`GET /api/core/${kind}-rules/:guid` as const, { guid }, { every: REFRESH_MS });
  const record = answer.data?.rule;
  return { ...answer, rule: record ? ruleOf(kind, record) : undefined, isGone: record === null };
}

/** After a change: everything that is known of rules. */
export function useRuleRefresh(): () => void {
  const client = useQueryClient();
  return () =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [operation] }) => /\/(batch|stream)-rules\b/.test(String(operation)),
    });
}

/** True for accounts that may change rules. */
export const useMayChange = (): boolean => isAtLeast(useAccount().role_name, 'ADMIN');

/** Both operations refuse a rule that is in the state already. */
export async function switchRule({ kind, guid }: Pick<Rule, 'kind' | 'guid'>, isOn: boolean): Promise<void> {
  await call(`POST /api/core/${kind}-rules/:guid/${isOn ? 'enable' : 'disable'}` as const, { guid });
}
