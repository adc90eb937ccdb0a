// Rising numbers of named series, in memory. The series that was asked longest ago begins anew when there are too many.

import { hash } from 'node:crypto';

const MAX_SERIES = 10_000;

export class RisingNumbers {
  readonly #next = new Map<string, number>();

  next(name: string): number {
    // Channels are named by clients.
    const series = hash('sha256', name, 'base64');
    const number = this.#next.get(series) ?? 0;
    this.#next.delete(series);
    this.#next.set(series, number + 1);
    const [oldest] = this.#next.size > MAX_SERIES ? this.#next.keys() : [];
    if (oldest !== undefined) this.#next.delete(oldest);
    return number;
  }
}
