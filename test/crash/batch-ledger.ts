// What was told of batches of records on ClickHouse: those that were acknowledged are there once, the others as a whole or not at
// all. Records are known by their number `n`, which no two records of a run share.

import { expect } from 'vitest';

/** Records that are stored together or not at all, by consecutive numbers. */
export interface Batch {
  readonly first: number;
  readonly count: number;
}

export type BatchState = 'begun' | 'stored' | 'refused';

interface Noted {
  readonly batch: Batch;
  readonly isSource: boolean;
  state: BatchState;
}

export class BatchLedger {
  readonly #batches = new Map<number, Noted>();
  storedBatches = 0;

  note(state: BatchState, batch: Batch, { isSource = false } = {}): void {
    if (state === 'stored') this.storedBatches += 1;
    this.#batches.set(batch.first, { batch, isSource, state });
  }

  /** Records that were acknowledged. */
  get size(): number {
    return [...this.#batches.values()].reduce(
      (sum, { batch, state }) => sum + (state === 'stored' ? batch.count : 0),
      0,
    );
  }

  /** `position` is the last record of the source whose position is stored with its records. */
  settle(numbers: readonly number[], position = 0): void {
    const present = new Set(numbers);
    expect(numbers.length, 'records are there twice').toBe(present.size);
    for (const one of this.#batches.values()) {
      const { batch, state, isSource } = one;
      const found = numbersOf(batch).filter((n) => present.has(n)).length;
      const wanted = state === 'stored' ? [batch.count] : [0, batch.count];
      expect(wanted, `${state} batch of ${batch.count} from ${batch.first}`).toContain(found);
      // What is there once stays: the next kills may not undo it. What is not there never comes.
      one.state = found > 0 ? 'stored' : 'refused';
      for (const n of numbersOf(batch)) present.delete(n);
      if (isSource && position >= batch.first) expect(found, `records before ${position}`).toBe(batch.count);
      if (isSource && position < batch.first) expect(found, `records after ${position}`).toBe(0);
    }
    expect([...present], 'records that no batch has').toEqual([]);
    for (const [first, { state }] of this.#batches) if (state === 'refused') this.#batches.delete(first);
  }
}

export const numbersOf = ({ first, count }: Batch): number[] =>
  Array.from({ length: count }, (_, index) => first + index);
