// The state of the page: what the address says, the text that is being written, the run, and what changes them.

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { changed } from '#console/address/address.ts';
import { useCommandKinds } from '#console/components/query-editor/use-language.ts';
import { hasSameShape, withFilter } from '#console/query-text/edits.ts';
import type { CommandKinds } from '#console/query-text/parts.ts';
import type { QueryRun } from '#console/results/query-run.ts';
import { now } from '#console/time/moments.ts';
import { absoluteRange, type Interval, type TimeRange } from '#console/time/ranges.ts';
import type { SearchActions } from './actions.ts';
import { rangeIn, type SearchAddress } from './address.ts';
import { useDraft } from './draft/use-draft.ts';
import { type History, useHistory } from './history/use-history.ts';
import { recordsAround } from './records-around.ts';
import { useAttempt, useRun } from './run/use-run.ts';

export interface SearchPage {
  readonly address: SearchAddress;
  readonly range: TimeRange;
  /** The text in the editor. */
  readonly draft: string;
  setDraft(text: string): void;
  readonly run: QueryRun | undefined;
  readonly kinds: CommandKinds;
  readonly history: History;
  readonly actions: Omit<SearchActions, 'columns'>;
  /** Only reads: a text that changes something waits for a click on Run. */
  runText(text: string, change?: SearchAddress): void;
  /** For a click on Run: the text may change something. */
  runByHand(text: string): void;
  /** The same text again; only reads. */
  repeat(): void;
  /** Undefined takes a value out of the address. */
  change(change: SearchAddress): void;
  setRange(range: TimeRange): void;
  zoom(interval: Interval): void;
}

/** What belongs to one result and not to the next. */
const FRESH: SearchAddress = { page: undefined, mark: undefined };

export function useSearchPage(): SearchPage {
  const address = useSearch({ from: '/search' });
  const navigate = useNavigate({ from: '/search' });
  const ran = address.q ?? '';
  const range = rangeIn(address);
  const [draft, setDraft] = useDraft(ran);
  const { attempt, begin } = useAttempt();
  const kinds = useCommandKinds();
  const history = useHistory();
  const run = useRun(address.live ? '' : ran, range, attempt);
  const latest = useRef({ ran, kinds, range, history });
  useEffect(() => {
    latest.current = { ran, kinds, range, history };
  });
  const go = useCallback(
    (change: SearchAddress, isStep: boolean) =>
      void navigate({ search: (before) => changed(before, change), replace: !isStep }),
    [navigate],
  );
  const repeat = useCallback(() => begin(), [begin]);
  const runAs = useCallback(
    (text: string, change: SearchAddress, isByHand: boolean) => {
      setDraft(text);
      begin(isByHand ? text : undefined);
      go(
        { q: text, ...FRESH, ...(hasSameShape(text, latest.current.ran) ? {} : { columns: undefined }), ...change },
        true,
      );
      const { from, to } = latest.current.range;
      if (text.trim() !== '') latest.current.history.add({ q: text, from, to, at: now() });
    },
    [go, begin, setDraft],
  );
  const runText = useCallback((text: string, next: SearchAddress = {}) => runAs(text, next, false), [runAs]);
  const runByHand = useCallback((text: string) => runAs(text, { live: undefined }, true), [runAs]);
  const change = useCallback((next: SearchAddress) => go(next, false), [go]);
  const setRange = useCallback(({ from, to }: TimeRange) => go({ from, to, ...FRESH, live: undefined }, true), [go]);
  const actions = useActionsOf({ latest, runText, change });
  const zoom = useCallback((interval: Interval) => setRange(absoluteRange(interval)), [setRange]);
  return {
    address,
    range,
    draft,
    setDraft,
    run,
    kinds,
    history,
    actions,
    runText,
    runByHand,
    repeat,
    change,
    setRange,
    zoom,
  };
}

interface ActionsOptions extends Pick<SearchPage, 'runText' | 'change'> {
  readonly latest: { readonly current: { readonly ran: string; readonly kinds: CommandKinds } };
}

function useActionsOf({ latest, runText, change }: ActionsOptions): Omit<SearchActions, 'columns'> {
  return useMemo(
    () => ({
      filter(kind, value, target) {
        const { ran, kinds } = latest.current;
        const changed = withFilter(ran, kind, value, { kinds, target });
        if (changed !== ran) runText(changed);
      },
      setColumns: (columns) => change({ columns }),
      showContext(row, milliseconds) {
        const { text, range, mark } = recordsAround(row, milliseconds);
        runText(text, { ...range, mark, live: undefined });
      },
    }),
    [latest, runText, change],
  );
}
