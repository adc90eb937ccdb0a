// How much at once: an amount, of bytes mostly, that is limited in total, per key (an account, mostly) and per reservation. Nothing
// waits here: an amount beyond a limit is refused, and the caller says what that means.

export interface BudgetLimits {
  readonly total: number;
  readonly perKey?: number;
  readonly perReservation?: number;
}

export interface ReservationOptions {
  /** In place of that of the budget. */
  readonly perKey?: number;
  /** True if the oldest open reservation of the key may exceed `perKey`, so that it can be completed. */
  readonly oldestExceedsKey?: boolean;
}

/** The limit that an amount would exceed, the narrowest one. */
export type ExceededLimit = 'reservation' | 'key' | 'total';

/** Releases its amount when it is disposed of, once. */
export interface Reservation extends Disposable {
  readonly amount: number;
  /** The limit that so much more would exceed; undefined if there is room. */
  exceededBy(more: number): ExceededLimit | undefined;
  /** Takes so much more, unless it exceeds a limit, which is returned. */
  take(more: number): ExceededLimit | undefined;
  /** Gives a part back. */
  release(part: number): void;
}

interface KeyUse {
  amount: number;
  /** Oldest first. */
  readonly reservations: Set<object>;
}

export class Budget {
  readonly #limits: Required<BudgetLimits>;
  readonly #uses = new Map<string, KeyUse>();
  #amount = 0;

  constructor({ total, perKey = Number.POSITIVE_INFINITY, perReservation = Number.POSITIVE_INFINITY }: BudgetLimits) {
    this.#limits = { total, perKey, perReservation };
  }

  /** Of all reservations. */
  get amount(): number {
    return this.#amount;
  }

  amountOf(key: string): number {
    return this.#uses.get(key)?.amount ?? 0;
  }

  /** Of an amount of zero. */
  open(key = '', { perKey = this.#limits.perKey, oldestExceedsKey = false }: ReservationOptions = {}): Reservation {
    const { total, perReservation } = this.#limits;
    const use = this.#uses.get(key) ?? { amount: 0, reservations: new Set() };
    this.#uses.set(key, use);
    const self = {};
    use.reservations.add(self);
    let own = 0;
    const isExempt = () => oldestExceedsKey && use.reservations.values().next().value === self;
    const change = (by: number) => {
      own += by;
      use.amount += by;
      this.#amount += by;
    };
    const exceededBy = (more: number) => {
      if (own + more > perReservation) return 'reservation';
      if (use.amount + more > perKey && !isExempt()) return 'key';
      return this.#amount + more > total ? 'total' : undefined;
    };
    return {
      get amount() {
        return own;
      },
      exceededBy,
      take(more) {
        const exceeded = exceededBy(more);
        if (!exceeded) change(more);
        return exceeded;
      },
      release: (part) => change(-part),
      [Symbol.dispose]: () => {
        change(-own);
        // The key may have been opened again since.
        if (use.reservations.delete(self) && use.reservations.size === 0) this.#uses.delete(key);
      },
    };
  }
}
