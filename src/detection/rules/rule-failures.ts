// Observer of rule failures and recoveries.

import type { RuleKind } from './rule-kinds.ts';

export interface FailingRule {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly name: string;
}

/** All calls are cheap enough for every record. */
export interface RuleFailures {
  /** False means that calls of `works` have no effect. */
  readonly isAnyFailing: boolean;
  /** Called for each failure; only the first is notified. */
  failed(rule: FailingRule, reason: string, at: Temporal.Instant): void;
  /** Called when the rule has evaluated a record. No effect for a rule that does not fail. */
  works(rule: FailingRule): void;
}
