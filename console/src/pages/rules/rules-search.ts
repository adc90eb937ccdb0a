// The state of the page in its address, and the rules of both kinds.

import type { AnswerFor } from '#client/call.ts';
import { LEDGER_DAYS, type LedgerDays } from '#console/components/slot-ledger/ledger-days.ts';
import { choiceIn, numberIn, present, type RawSearch, textIn } from '#console/pages/search-values.ts';

export const KINDS = ['stream', 'batch'] as const;
export type RuleKind = (typeof KINDS)[number];
export const PRIORITIES = ['HIGH', 'MEDIUM', 'LOW'] as const;
export const SWITCHED = ['on', 'off'] as const;

export type BatchRule = AnswerFor<'GET /api/core/batch-rules'>['rules'][number];
export type StreamRule = AnswerFor<'GET /api/core/stream-rules'>['rules'][number];
export type Rule = (BatchRule & { readonly kind: 'batch' }) | (StreamRule & { readonly kind: 'stream' });

export const ruleOf = (kind: RuleKind, record: BatchRule | StreamRule): Rule => ({ ...record, kind }) as Rule; // As answered for the kind.

export const TABS = ['overview', 'test', 'versions', 'hits', 'runs'] as const;
export type RuleTab = (typeof TABS)[number];

export interface RulesSearch {
  readonly keywords?: string | undefined;
  readonly kind?: RuleKind | undefined;
  readonly enabled?: (typeof SWITCHED)[number] | undefined;
  readonly priority?: (typeof PRIORITIES)[number] | undefined;
  /** The GUID of a category. */
  readonly category?: string | undefined;
  /** The GUID of the open rule, and its kind. */
  readonly rule?: string | undefined;
  readonly of?: RuleKind | undefined;
  readonly tab?: RuleTab | undefined;
  /** Two versions side by side. */
  readonly left?: number | undefined;
  readonly right?: number | undefined;
  /** True for the editor: of the open rule, or of a new one of the kind `of`. */
  readonly edit?: true | undefined;
  /** The version that the editor begins with. */
  readonly base?: number | undefined;
  /** Of hits. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Of runs. */
  readonly days?: LedgerDays | undefined;
  readonly hour?: string | undefined;
}

export const readRulesSearch = (search: RawSearch): RulesSearch =>
  present({
    keywords: textIn(search, 'keywords'),
    kind: choiceIn(search, 'kind', KINDS),
    enabled: choiceIn(search, 'enabled', SWITCHED),
    priority: choiceIn(search, 'priority', PRIORITIES),
    category: textIn(search, 'category'),
    rule: textIn(search, 'rule'),
    of: choiceIn(search, 'of', KINDS),
    tab: choiceIn(search, 'tab', TABS),
    left: numberIn(search, 'left'),
    right: numberIn(search, 'right'),
    edit: search.edit === true ? (true as const) : undefined,
    base: numberIn(search, 'base'),
    from: textIn(search, 'from'),
    to: textIn(search, 'to'),
    days: LEDGER_DAYS.find((days) => days === numberIn(search, 'days')),
    hour: textIn(search, 'hour'),
  });

/** What belongs to one rule and not to the next. */
export const CLOSED: RulesSearch = {
  rule: undefined,
  of: undefined,
  left: undefined,
  right: undefined,
  edit: undefined,
  base: undefined,
  hour: undefined,
};

export interface ChangeProps {
  readonly search: RulesSearch;
  /** Undefined takes a value out of the address. */
  onChange(change: RulesSearch): void;
}
