// Filters of segments in memory, of all tables together: the least recently used leave first when there are too many bytes.

import { decodeFilter, type SegmentFilter } from '#logs/stores/embedded/text-index/segment-filter.ts';

/** Enough for about ten million records. A filter that is not here is read again, a million records in a few milliseconds. */
const MAX_BYTES = 32 * 1024 * 1024;

export class FilterCache {
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #filters = new Map<string, SegmentFilter>();
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `read` gives the content of the file; undefined where there is none or it is damaged. */
  async filter(name: string, read: () => Promise<Buffer | undefined>): Promise<SegmentFilter | undefined> {
    const known = this.#filters.get(name);
    if (known) {
      this.#filters.delete(name);
      this.#filters.set(name, known);
      return known;
    }
    const content = await read();
    const filter = content && decodeFilter(content);
    if (filter) this.#keep(name, filter);
    return filter;
  }

  forget(name: string): void {
    this.#bytes -= this.#filters.get(name)?.bytes ?? 0;
    this.#filters.delete(name);
  }

  #keep(name: string, filter: SegmentFilter): void {
    // Another reader may have been quicker.
    this.forget(name);
    this.#filters.set(name, filter);
    this.#bytes += filter.bytes;
    for (const oldest of this.#filters.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.forget(oldest);
    }
  }
}
