// Filters of segments in memory, of all tables together: the least recently used leave first when there are too many bytes.

import { decodeFilter, type SegmentFilter } from '#logs/stores/embedded/text-index/segment-filter.ts';
import { BoundedMap } from '#runtime/bounded-map.ts';

/** Enough for about ten million records. A filter that is not here is read again, a million records in a few milliseconds. */
const MAX_BYTES = 32 * 1024 * 1024;

export class FilterCache {
  readonly #filters: BoundedMap<string, SegmentFilter>;

  constructor(maxBytes = MAX_BYTES) {
    this.#filters = new BoundedMap({ max: maxBytes, evicts: 'least-used', weigh: ({ bytes }) => bytes });
  }

  get bytes(): number {
    return this.#filters.weight;
  }

  /** `read` gives the content of the file; undefined where there is none or it is damaged. */
  async filter(name: string, read: () => Promise<Buffer | undefined>): Promise<SegmentFilter | undefined> {
    const known = this.#filters.get(name);
    if (known) return known;
    const content = await read();
    const filter = content && decodeFilter(content);
    if (filter) this.#filters.set(name, filter);
    return filter;
  }

  forget(name: string): void {
    this.#filters.delete(name);
  }
}
