// Cancels foreground queries whose session has ended. Sessions end in many ways and on every node, so the sessions of running
// queries are checked after every change of accounts on this node, and every few seconds for changes on others.

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
    deps.accounts.onChange(() => void this.#schedule());
  }

  close(): void {
    this.#timer[Symbol.dispose]();
  }

  /** Requests during a check are merged into one further check. */
  #schedule(): Promise<void> {
    if (this.#isDue) return this.#work;
    this.#isDue = true;
    this.#work = this.#work.then(() => this.#cancelOrphans()).catch((error) => this.#deps.failed(error));
    return this.#work;
  }

  async #cancelOrphans(): Promise<void> {
    this.#isDue = false;
    for (const query of [...this.#queries()].filter(isForeground)) {
      // A streaming request keeps its session active as long as it is connected.
      const isAttended = !query.request.keepsRows;
      if (!(await this.#deps.accounts.isInSession(query.request.caller, { isAttended }))) query.cancel(sessionEnded());
    }
  }
}

const isForeground = ({ request, isFinished }: LiveQuery): boolean => !request.background && !isFinished;
