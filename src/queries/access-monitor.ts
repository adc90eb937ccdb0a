// Cancels queries that may no longer run: foreground queries whose session has ended, and queries over arriving rows whose account
// has lost a table or no longer trusts the address. Sessions and rights end in many ways and on every node, so running queries
// are checked every few seconds, their sessions also after every change of accounts on this node.

import type { Accounts } from '#access/accounts/accounts.ts';
import type { Caller } from '#access/caller.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Periodic, Rounds } from '#runtime/periodic.ts';
import type { LiveQuery } from './live-query.ts';
import { type QueryEnd, sessionEnded } from './status/query-ends.ts';

const PERIOD = Temporal.Duration.from({ seconds: 5 });

interface AccessMonitorDeps {
  readonly accounts: Accounts;
  readonly clock: Clock;
  queries(): Iterable<LiveQuery>;
  /** The end of a query that the caller, as its account is now, could not begin; undefined where it could. */
  lostRight(query: LiveQuery, caller: Caller): Promise<QueryEnd | undefined>;
  failed(error: unknown): void;
}

export class AccessMonitor {
  readonly #deps: AccessMonitorDeps;
  readonly #timer: Disposable;
  readonly #checks = new Rounds(() => this.#check());
  #areRightsDue = false;

  constructor(deps: AccessMonitorDeps) {
    this.#deps = deps;
    this.#timer = new Periodic({
      clock: deps.clock,
      period: PERIOD,
      during: 'overlap',
      work: () => {
        this.#areRightsDue = true;
        return this.#checks.next();
      },
    });
    deps.accounts.onChange(() => void this.#checks.next());
  }

  close(): void {
    this.#timer[Symbol.dispose]();
  }

  async #check(): Promise<void> {
    try {
      await this.#checkAll();
    } catch (error) {
      this.#deps.failed(error);
    }
  }

  async #checkAll(): Promise<void> {
    const areRightsDue = this.#areRightsDue;
    this.#areRightsDue = false;
    for (const query of [...this.#deps.queries()].filter(({ isFinished }) => !isFinished)) {
      // Checking a text again takes longer than reading a session, and every operation that changes something may change accounts.
      const end = (await this.#endOfSession(query)) ?? (areRightsDue ? await this.#endOfRights(query) : undefined);
      if (end) query.cancel(end);
    }
  }

  async #endOfSession({ request }: LiveQuery): Promise<QueryEnd | undefined> {
    if (request.background) return undefined;
    // A streaming request keeps its session active as long as it is connected.
    const isAttended = !request.keepsRows;
    return (await this.#deps.accounts.isInSession(request.caller, { isAttended })) ? undefined : sessionEnded();
  }

  /** Other queries read what was stored when they began, with the rights of then. */
  async #endOfRights(query: LiveQuery): Promise<QueryEnd | undefined> {
    if (query.isFinished || query.checked.references.awaited.size === 0) return undefined;
    const { caller, remoteIp } = query.request;
    const present = caller.isService ? caller : await this.#deps.accounts.present(caller, remoteIp);
    return present ? await this.#deps.lostRight(query, present) : sessionEnded();
  }
}
