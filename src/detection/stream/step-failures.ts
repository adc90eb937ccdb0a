// Rules that took more steps for a log than they may (operations reference 1.6): counted, and told as a failure of the rule
// that says which log it was.

import type { RuleFailures } from '#detection/rule-failures.ts';
import type { Clock } from '#kernel/clock.ts';
import type { StreamRule } from './compiled-rule.ts';

export interface StepFailureDeps {
  readonly clock: Clock;
  readonly failures: RuleFailures;
  /** Told how many logs a rule has not judged. */
  stepsExceeded(kind: 'stream' | 'model', logs: number): void;
}

/** The last of some logs that a rule has not judged. */
export interface UnjudgedLogs {
  readonly table: string;
  /** Unknown for a log that was kept before it was looked at. */
  readonly id: number | undefined;
  /** How many there were. */
  readonly logs: number;
  /** Whether other rules had taken all steps that there were for the log. */
  readonly isByOthers: boolean;
}

export function reportExceeded({ rule: { guid, name } }: StreamRule, log: UnjudgedLogs, deps: StepFailureDeps): void {
  const { table, id, logs, isByOthers } = log;
  deps.stepsExceeded('stream', logs);
  const what = isByOthers ? 'too many steps of the rules before it' : 'too many steps';
  const reason = `${what}: table ${table}, _id ${id ?? 'unknown'}, rule ${name}`;
  deps.failures.failed({ kind: 'stream', guid, name }, reason, deps.clock.now());
}

/** A rule has judged a log within its steps. */
export function reportJudged({ rule: { guid, name } }: StreamRule, { failures }: StepFailureDeps): void {
  if (failures.isAnyFailing) failures.works({ kind: 'stream', guid, name });
}
