// Told of rules that fail and of those that work again. Whoever keeps what rules show of their last failure, and tells people
// of it, stands behind this.

import type { RuleKind } from './rule-kinds.ts';

export interface FailingRule {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly name: string;
}

/** All of it is cheap, and may be asked for every record. */
export interface RuleFailures {
  /** Whether `works` is worth a call. */
  readonly isAnyFailing: boolean;
  /** Each time that it fails: whoever tells people of it does so with the first. */
  failed(rule: FailingRule, reason: string, at: Temporal.Instant): void;
  /** The rule has judged a record. Does nothing for a rule that does not fail. */
  works(rule: FailingRule): void;
}
