// How much room kept rows take, and may take: those of one query, of one account, and of all.

import { LimitReached, type QueryLimits } from './limits.ts';

/** The room of one query. */
export interface Room extends Disposable {
  /** Before so many bytes are written. */
  take(bytes: number): void;
}

export class ResultRoom {
  readonly #most: QueryLimits['results'];
  readonly #byAccount = new Map<string, number>();
  #inAll = 0;

  constructor(most: QueryLimits['results']) {
    this.#most = most;
  }

  /** Bytes of all rows that are kept. */
  get bytes(): number {
    return this.#inAll;
  }

  /** Given back when disposed of. */
  of(account: string): Room {
    let taken = 0;
    return {
      take: (bytes) => {
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
    const { perQuery, perAccount, total: inAll } = this.#most;
    const refuse = (whose: string, most: number) => {
      throw new LimitReached('result', `the rows ${whose} take more than ${most} bytes`);
    };
    if (taken + bytes > perQuery) refuse('of the query', perQuery);
    if (this.#of(account) + bytes > perAccount) refuse('kept for the account', perAccount);
    if (this.#inAll + bytes > inAll) refuse('kept for all accounts', inAll);
  }

  #add(account: string, bytes: number): void {
    this.#inAll += bytes;
    const left = this.#of(account) + bytes;
    if (left > 0) this.#byAccount.set(account, left);
    else this.#byAccount.delete(account);
  }

  #of(account: string): number {
    return this.#byAccount.get(account) ?? 0;
  }
}
