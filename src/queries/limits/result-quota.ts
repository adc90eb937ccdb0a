// Quota for the bytes of kept rows: per query, per account and in all.

import { Budget, type ExceededLimit } from '#runtime/budget.ts';
import { LimitReached, type QueryLimits } from './limits.ts';

/** The reserved bytes of one query. */
export interface ResultReservation extends Disposable {
  /** Called before bytes are written; throws LimitReached beyond the quota. */
  reserve(bytes: number): void;
}

export class ResultQuota {
  readonly #limits: QueryLimits['results'];
  readonly #budget: Budget;

  constructor(limits: QueryLimits['results']) {
    const { perQuery: perReservation, perAccount: perKey, total } = limits;
    this.#limits = limits;
    this.#budget = new Budget({ total, perKey, perReservation });
  }

  /** Bytes of all rows that are kept. */
  get bytes(): number {
    return this.#budget.amount;
  }

  /** Disposal releases the bytes. */
  of(account: string): ResultReservation {
    const kept = this.#budget.open(account);
    return {
      reserve: (bytes) => {
        const exceeded = kept.take(bytes);
        if (exceeded) throw this.#refusal(exceeded);
      },
      [Symbol.dispose]: () => kept[Symbol.dispose](),
    };
  }

  #refusal(exceeded: ExceededLimit): LimitReached {
    const { perQuery, perAccount, total } = this.#limits;
    const limits = {
      reservation: ['of the query', perQuery],
      key: ['kept for the account', perAccount],
      total: ['kept for all accounts', total],
    } as const;
    const [rows, max] = limits[exceeded];
    return new LimitReached('result', `the rows ${rows} take more than ${max} bytes`);
  }
}
