// Rules that exceeded their step limit for a log (operations reference 1.6): counted, and reported as a failure of the rule that
// names the log.

import type { RuleFailures } from '#detection/rules/rule-failures.ts';
import type { Clock } from '#kernel/time/clock.ts';
import type { StreamRule } from './compiled-rule.ts';

export interface StepFailureDeps {
  readonly clock: Clock;
  readonly failures: RuleFailures;
  /** Called with the number of logs that a rule has skipped. */
  stepsExceeded(kind: 'stream' | 'model', logs: number): void;
}

/** Logs that a rule has skipped, described by the last of them. */
interface UnjudgedLogs {
  readonly table: string;
  /** Undefined for a log that was stored before it was examined. */
  readonly id: number | undefined;
  /** Number of skipped logs. */
  readonly logs: number;
  /** Whether earlier rules had used up the steps for the log. */
  readonly isByOthers: boolean;
}

export function reportExceeded({ rule: { guid, name } }: StreamRule, log: UnjudgedLogs, deps: StepFailureDeps): void {
  const { table, id, logs, isByOthers } = log;
  deps.stepsExceeded('stream', logs);
  const what = isByOthers ? 'too many steps of the rules before it' : 'too many steps';
  const reason = `${what}: table ${table}, _id ${id ?? 'unknown'}, rule ${name}`;
  deps.failures.failed({ kind: 'stream', guid, name }, reason, deps.clock.now());
}

/** Called when a rule has evaluated a log within its step limit. */
export function reportJudged({ rule: { guid, name } }: StreamRule, { failures }: StepFailureDeps): void {
  if (failures.isAnyFailing) failures.works({ kind: 'stream', guid, name });
}
