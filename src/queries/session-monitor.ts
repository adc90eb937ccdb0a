// A foreground query goes with the session it was asked in. Sessions end in many ways, on every node; so those of the
// queries at work are looked at after every change of accounts here, and every few seconds for what changed elsewhere.

import type { Accounts } from '#access/accounts.ts';
import type { Clock } from '#kernel/clock.ts';
import type { LiveQuery } from './live-query.ts';
import { sessionEnded } from './query-ends.ts';

const PERIOD = Temporal.Duration.from({ seconds: 5 });

interface SessionMonitorDeps {
  readonly accounts: Accounts;
  readonly clock: Clock;
  failed(error: unknown): void;
}

export class SessionMonitor {
  readonly #deps: SessionMonitorDeps;
  readonly #queries: () => Iterable<LiveQuery>;
  readonly #timer: Disposable;
  #work: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(deps: SessionMonitorDeps, queries: () => Iterable<LiveQuery>) {
    this.#deps = deps;
    this.#queries = queries;
    this.#timer = deps.clock.every(PERIOD, () => this.#schedule());
    deps.accounts.onChange(() => this.#schedule());
  }

  close(): void {
    this.#timer[Symbol.dispose]();
  }

  /** However often it is asked for meanwhile, one more round is enough. */
  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#work = this.#work.then(() => this.#cancelOrphans()).catch((error) => this.#deps.failed(error));
  }

  async #cancelOrphans(): Promise<void> {
    this.#isDue = false;
    for (const query of [...this.#queries()].filter(isForeground)) {
      // Whoever waits for rows is there as long as the connection is.
      const isAttended = !query.request.keepsRows;
      if (!(await this.#deps.accounts.isInSession(query.request.caller, { isAttended }))) query.cancel(sessionEnded());
    }
  }
}

const isForeground = ({ request, isFinished }: LiveQuery): boolean => !request.background && !isFinished;
