// Scanners of lines by the source of the lines: lines of a source mostly have the names that earlier ones had.

import { LineScanner } from './line-scanner.ts';

/** A scanner knows up to 4,096 names of 256 bytes. */
const MAX_KEPT = 16;

export interface KeptScanner {
  readonly scanner: LineScanner;
  /** No two scanners of a thread have the same. */
  readonly serial: number;
}

export class KeptScanners {
  readonly #bySource = new Map<string, KeptScanner>();
  #last = 0;

  /** In `zone` times without an offset are read; the same for all. */
  for(source: string, zone: string): KeptScanner {
    const kept = this.#bySource.get(source) ?? this.#made(zone);
    // The one that was asked for last is the last to go.
    this.#bySource.delete(source);
    this.#bySource.set(source, kept);
    const [oldest] = this.#bySource.size > MAX_KEPT ? this.#bySource.keys() : [];
    if (oldest !== undefined) this.#bySource.delete(oldest);
    return kept;
  }

  #made(zone: string): KeptScanner {
    this.#last += 1;
    return { scanner: new LineScanner(zone), serial: this.#last };
  }
}
