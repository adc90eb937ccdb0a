// A foreground query goes with the session it was asked in. Sessions end in many ways, on every node; so those of the
// queries at work are looked at after every change of accounts here, and every few seconds for what changed elsewhere.

import type { Accounts } from '#access/accounts.ts';
import type { Clock } from '#kernel/clock.ts';
import type { LiveQuery } from './live-query.ts';
import { sessionEnded } from './query-ends.ts';

const PERIOD = Temporal.Duration.from({ seconds: 5 });

interface ReviewParts {
  readonly accounts: Accounts;
  readonly clock: Clock;
  failed(error: unknown): void;
}

export class SessionReview {
  readonly #parts: ReviewParts;
  readonly #queries: () => Iterable<LiveQuery>;
  readonly #reviewing: Disposable;
  #work: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(parts: ReviewParts, queries: () => Iterable<LiveQuery>) {
    this.#parts = parts;
    this.#queries = queries;
    this.#reviewing = parts.clock.every(PERIOD, () => this.#ask());
    parts.accounts.onChange(() => this.#ask());
  }

  close(): void {
    this.#reviewing[Symbol.dispose]();
  }

  /** However often it is asked for meanwhile, one more round is enough. */
  #ask(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#work = this.#work.then(() => this.#review()).catch((error) => this.#parts.failed(error));
  }

  async #review(): Promise<void> {
    this.#isDue = false;
    for (const query of [...this.#queries()].filter(isForeground)) {
      // Whoever waits for rows is there as long as the connection is.
      const isAttended = !query.request.keepsRows;
      if (!(await this.#parts.accounts.isInSession(query.request.caller, { isAttended }))) query.cancel(sessionEnded());
    }
  }
}

const isForeground = ({ request, isFinished }: LiveQuery): boolean => !request.background && !isFinished;
