// Rows that two windows have given, one after the other: they are shown once.

import { hash } from 'node:crypto';
import { BoundedMap } from '#runtime/bounded-map.ts';

/** Of one overlap; rows beyond it are shown twice. */
const MAX_ROWS = 100_000;

export class SharedRows {
  readonly #counts = new BoundedMap<string, number>({ max: MAX_ROWS, evicts: 'refuse' });

  /** A row of the earlier window. */
  add(row: string): void {
    const key = keyOf(row);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /**
   * Whether a row of the later window was one of the earlier. Both have them in the order of arrival, so that the first
   * row that is new ends the overlap.
   */
  take(row: string): boolean {
    if (this.#counts.size === 0) return false;
    const key = keyOf(row);
    const count = this.#counts.get(key);
    if (count === undefined) this.#counts.clear();
    else if (count === 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
    return count !== undefined;
  }
}

/** The memory for a row does not depend on its length. */
const keyOf = (row: string): string => hash('sha256', row, 'base64');
