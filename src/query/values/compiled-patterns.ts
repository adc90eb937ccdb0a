// A bounded cache of what was compiled from the patterns of queries.

import { BoundedMap } from '#runtime/bounded-map.ts';

const MAX_ENTRIES = 1000;

export class CompiledPatterns<T> {
  readonly #entries = new BoundedMap<string, T>({ max: MAX_ENTRIES, evicts: 'all' });

  get(key: string, compile: () => T): T {
    return this.#entries.getOrSet(key, compile);
  }
}
