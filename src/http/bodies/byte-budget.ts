// The memory of all request bodies. One account cannot take all of it, and addresses without a key get very little.

import { noRoomForBody } from '#contract/errors.ts';
import { Budget } from '#runtime/budget.ts';

/** All unauthenticated bodies of one address. */
const MAX_OPEN_BYTES_PER_ADDRESS = 64 * 1024;
const SHARES = 4;

/** The owner of a body: an account, or an address without a key. */
type BodyOwner = { readonly account: string } | { readonly address: string };

/** Memory reserved for one body, until disposed. */
export interface BodyPermit extends Disposable {
  /** Throws 429 when there is no memory for this many more bytes. */
  add(bytes: number): void;
  /** Throws 429 when no memory is left. */
  requireRoom(): void;
}

export class ByteBudget {
  readonly #budget: Budget;
  readonly #accountBytes: number;

  constructor(limitBytes: number) {
    this.#budget = new Budget({ total: limitBytes });
    this.#accountBytes = limitBytes / SHARES;
  }

  get heldBytes(): number {
    return this.#budget.amount;
  }

  open(owner: BodyOwner): BodyPermit {
    const limits =
      'address' in owner
        ? { perKey: MAX_OPEN_BYTES_PER_ADDRESS }
        : // The oldest body of an account continues; later ones are refused.
          { perKey: this.#accountBytes, oldestExceedsKey: true };
    const held = this.#budget.open(JSON.stringify(owner), limits);
    return {
      requireRoom() {
        if (held.exceededBy(1)) throw noRoomForBody();
      },
      add(bytes) {
        if (held.take(bytes)) throw noRoomForBody();
      },
      [Symbol.dispose]: () => held[Symbol.dispose](),
    };
  }
}
