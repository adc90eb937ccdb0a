// Quota for the bytes of kept rows: per query, per account and in all.

import { LimitReached, type QueryLimits } from './limits.ts';

/** The reserved bytes of one query. */
export interface ResultReservation extends Disposable {
  /** Called before bytes are written; throws LimitReached beyond the quota. */
  reserve(bytes: number): void;
}

export class ResultQuota {
  readonly #limits: QueryLimits['results'];
  readonly #byAccount = new Map<string, number>();
  #inAll = 0;

  constructor(most: QueryLimits['results']) {
    this.#limits = most;
  }

  /** Bytes of all rows that are kept. */
  get bytes(): number {
    return this.#inAll;
  }

  /** Disposal releases the bytes. */
  of(account: string): ResultReservation {
    let taken = 0;
    return {
      reserve: (bytes) => {
        this.#require(account, taken, bytes);
        taken += bytes;
        this.#add(account, bytes);
      },
      [Symbol.dispose]: () => {
        this.#add(account, -taken);
        taken = 0;
      },
    };
  }

  #require(account: string, taken: number, bytes: number): void {
    const { perQuery, perAccount, total: inAll } = this.#limits;
    const refuse = (whose: string, most: number) => {
      throw new LimitReached('result', `the rows ${whose} take more than ${most} bytes`);
    };
    if (taken + bytes > perQuery) refuse('of the query', perQuery);
    if (this.#bytesOfAccount(account) + bytes > perAccount) refuse('kept for the account', perAccount);
    if (this.#inAll + bytes > inAll) refuse('kept for all accounts', inAll);
  }

  #add(account: string, bytes: number): void {
    this.#inAll += bytes;
    const left = this.#bytesOfAccount(account) + bytes;
    if (left > 0) this.#byAccount.set(account, left);
    else this.#byAccount.delete(account);
  }

  #bytesOfAccount(account: string): number {
    return this.#byAccount.get(account) ?? 0;
  }
}
