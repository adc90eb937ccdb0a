// The state of the page in its address, and the rules of both kinds.

import type { AnswerFor } from '#client/call.ts';
import { addressOf, choice, flag, number, text } from '#console/address/address.ts';
import { LEDGER_DAYS } from '#console/components/slot-ledger/ledger-days.ts';

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

export const readRulesSearch = addressOf({
  keywords: text,
  kind: choice(KINDS),
  enabled: choice(SWITCHED),
  priority: choice(PRIORITIES),
  /** The GUID of a category. */
  category: text,
  /** The GUID of the open rule, and its kind. */
  rule: text,
  of: choice(KINDS),
  tab: choice(TABS),
  /** Two versions side by side. */
  left: number,
  right: number,
  /** True for the editor: of the open rule, or of a new one of the kind `of`. */
  edit: flag,
  /** The version that the editor begins with. */
  base: number,
  /** Of hits. */
  from: text,
  to: text,
  /** Of runs. */
  days: choice(LEDGER_DAYS),
  hour: text,
});
export type RulesSearch = ReturnType<typeof readRulesSearch>;

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
