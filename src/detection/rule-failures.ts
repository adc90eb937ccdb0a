// Whoever judges logs by rules tells here when a rule fails and when it works again.

import type { RuleKind } from './kinds.ts';

export interface FailedRule {
  readonly kind: RuleKind;
  readonly guid: string;
  readonly name: string;
}

/** Both are cheap, and may be called for every record. */
export interface RuleFailures {
  /** `at` in epoch milliseconds. */
  failed(rule: FailedRule, reason: string, at: number): void;
  /** The rule has judged a record. Does nothing for a rule that does not fail. */
  works(rule: FailedRule): void;
}
