// Admission of queries: a bounded number runs, per account and in all; a bounded number waits for a slot.

import { tooManyRequests } from '#contract/errors.ts';
import type { QueryRequest } from '#queries/query-request.ts';
import { Slots } from '#runtime/slots.ts';
import type { Ceiling } from './limits.ts';

/** `Retry-After` of a refused query. */
const RETRY_SECONDS = 1;

/**
 * Queries that other nodes ask for have slots of their own, as many as those of callers: a query that waits for another node keeps
 * its slot, so two nodes would otherwise wait for each other. Runs of batch rules have their own, too: detection does not wait for
 * the queries of the author.
 */
export class Admissions {
  readonly #own: Admission;
  readonly #forNodes: Admission;
  readonly #forRules: Admission;

  constructor(running: Ceiling, mostWaiting: Ceiling) {
    this.#own = new Admission(running, mostWaiting);
    this.#forNodes = new Admission(running, mostWaiting);
    this.#forRules = new Admission(running, mostWaiting);
  }

  of({ askedBy, source }: Pick<QueryRequest, 'askedBy' | 'source'>): Admission {
    if (askedBy !== undefined) return this.#forNodes;
    return source === 'batch-rule' ? this.#forRules : this.#own;
  }

  get running(): number {
    return this.#own.running + this.#forNodes.running + this.#forRules.running;
  }

  get waiting(): number {
    return this.#own.waiting + this.#forNodes.waiting + this.#forRules.waiting;
  }
}

export class Admission {
  readonly #slots: Slots;
  readonly #maxWaiting: Ceiling;
  /** Queries that are being checked, by account: each will enter soon. */
  readonly #announced = new Map<string, number>();

  constructor(running: Ceiling, mostWaiting: Ceiling) {
    this.#slots = new Slots({ perKey: running.perAccount, total: running.total });
    this.#maxWaiting = mostWaiting;
  }

  get running(): number {
    return this.#slots.inUse;
  }

  get waiting(): number {
    return this.#slots.waiting;
  }

  /** Counts a query that is being checked, until disposed of; refuses a query for which no waiting slot is left. */
  announce(account: string): Disposable {
    if (this.#isFull(account)) throw tooManyRequests(RETRY_SECONDS);
    this.#announced.set(account, (this.#announced.get(account) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        const others = (this.#announced.get(account) ?? 1) - 1;
        if (others === 0) this.#announced.delete(account);
        else this.#announced.set(account, others);
      },
    };
  }

  /** Resolves to a slot, to be disposed of; rejects with the reason of `signal`. */
  enter(account: string, signal: AbortSignal): Promise<Disposable> {
    return this.#slots.acquire({ key: account, signal });
  }

  #isFull(account: string): boolean {
    const { total: inAll, own } = this.#slots.free(account);
    const coming = this.#announced.values().reduce((total, count) => total + count, 0);
    return (
      this.waiting + coming >= this.#maxWaiting.total + inAll ||
      this.#slots.waitingOf(account) + (this.#announced.get(account) ?? 0) >= this.#maxWaiting.perAccount + own
    );
  }
}
