// Told of rules that fail and of those that work again. Whoever keeps what rules show of their last failure, and tells people
// of it, stands behind this.

import type { RuleKind } from './kinds.ts';

export interface FailingRule {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly name: string;
}

export interface RuleFailures {
  /** Each time that it fails: whoever tells people of it does so with the first. */
  failed(rule: FailingRule, reason: string, at: Temporal.Instant): void;
  /** A rule that has failed does what it should again. */
  works(rule: FailingRule): void;
}
