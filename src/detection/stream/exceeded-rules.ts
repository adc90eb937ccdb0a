// Rules that took more steps for a log than they may (operations reference 1.6): counted, and told as a failure of the rule
// that says which log it was. One that has failed works again when it has judged logs for a while without failing: whoever
// sends one bad log among many must not raise an alarm with each.

import type { RuleFailures } from '#detection/rule-failures.ts';
import type { Clock } from '#kernel/clock.ts';
import type { StreamRule } from './stages.ts';

const WORKS_AGAIN_MS = 10 * 60 * 1000;

export interface ExceededParts {
  readonly clock: Clock;
  readonly failures: RuleFailures;
  /** Told how many logs a rule has not judged. */
  stepsExceeded(kind: 'stream' | 'model', logs: number): void;
}

/** The last of some logs that a rule has not judged. */
export interface ExceededLog {
  readonly table: string;
  /** Unknown for a log that was kept before it was looked at. */
  readonly id: number | undefined;
  /** How many there were. */
  readonly logs: number;
  /** Whether other rules had taken all steps that there were for the log. */
  readonly isByOthers: boolean;
}

export class ExceededRules {
  readonly #parts: ExceededParts;
  /** When they failed last, in epoch milliseconds, by GUID. */
  readonly #failing = new Map<string, number>();

  constructor(parts: ExceededParts) {
    this.#parts = parts;
  }

  get isAnyFailing(): boolean {
    return this.#failing.size > 0;
  }

  failed({ rule: { guid, name } }: StreamRule, { table, id, logs, isByOthers }: ExceededLog): void {
    const now = this.#parts.clock.now();
    this.#failing.set(guid, now.epochMilliseconds);
    this.#parts.stepsExceeded('stream', logs);
    const what = isByOthers ? 'too many steps of the rules before it' : 'too many steps';
    const reason = `${what}: table ${table}, _id ${id ?? 'unknown'}, rule ${name}`;
    this.#parts.failures.failed({ kind: 'stream', guid, name }, reason, now);
  }

  /** A rule has judged a log within its steps. */
  judged({ rule: { guid, name } }: StreamRule): void {
    const failed = this.#failing.get(guid);
    if (failed === undefined || this.#parts.clock.now().epochMilliseconds - failed < WORKS_AGAIN_MS) return;
    this.#failing.delete(guid);
    this.#parts.failures.works({ kind: 'stream', guid, name });
  }
}
