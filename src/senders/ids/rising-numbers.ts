// Rising numbers of named series, in memory. The series that was asked longest ago begins anew when there are too many.

import { hash } from 'node:crypto';
import { BoundedMap } from '#runtime/bounded-map.ts';

const MAX_SERIES = 10_000;

export class RisingNumbers {
  readonly #next = new BoundedMap<string, number>({ max: MAX_SERIES, evicts: 'least-used' });

  next(name: string): number {
    // Channels are named by clients.
    const series = hash('sha256', name, 'base64');
    const number = this.#next.get(series) ?? 0;
    this.#next.set(series, number + 1);
    return number;
  }
}
