// Sorted numeric bounds of rules, so that a lookup visits only the bounds that a value satisfies.

import type { Clue, Order } from '#query/model/clue.ts';
import type { Reading } from '#query/rules/condition.ts';

interface Bound {
  readonly bound: bigint | number;
  readonly rules: readonly number[];
}

/** Longs and doubles compare by value, exactly. */
const compared = (one: bigint | number, other: bigint | number): number => (one < other ? -1 : one > other ? 1 : 0);

export class NumberBounds {
  /** Lower bounds ascending, upper bounds descending: the satisfied bounds of a value are a prefix. */
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
