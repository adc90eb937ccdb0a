// Numbers that a value must be above or below, sorted, so that only those are looked at that it is: however many there are,
// what is found is what is met.

import type { Clue, Order } from '#query/rules/clues.ts';
import type { Reading } from '#query/rules/condition.ts';

interface Bound {
  readonly bound: bigint | number;
  readonly rules: readonly number[];
}

/** Longs and doubles compare by value, exactly. */
const compared = (one: bigint | number, other: bigint | number): number => (one < other ? -1 : one > other ? 1 : 0);

export class NumberBounds {
  /** In the order in which a value meets them: those it must be above from below, the others from above. */
  readonly #bounds: Record<Order, Bound[]> = { '<': [], '<=': [], '>': [], '>=': [] };
  #isSorted = true;

  get isEmpty(): boolean {
    return ORDERS.every((is) => this.#bounds[is].length === 0);
  }

  add({ is, bound }: Pick<Extract<Clue<Reading>, { kind: 'order' }>, 'is' | 'bound'>, rule: number): void {
    this.#bounds[is].push({ bound, rules: [rule] });
    this.#isSorted = false;
  }

  find(value: bigint | number, tell: (rules: readonly number[]) => void): void {
    if (!this.#isSorted) this.#sort();
    for (const is of ORDERS) {
      for (const { bound, rules } of this.#bounds[is]) {
        if (!HOLDS[is](compared(value, bound))) break;
        tell(rules);
      }
    }
  }

  #sort(): void {
    for (const is of ORDERS) {
      const sign = is.startsWith('>') ? 1 : -1;
      this.#bounds[is].sort((one, other) => sign * compared(one.bound, other.bound));
    }
    this.#isSorted = true;
  }
}

const ORDERS = ['<', '<=', '>', '>='] as const;

const HOLDS: Readonly<Record<Order, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};
