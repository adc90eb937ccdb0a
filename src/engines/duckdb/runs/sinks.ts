// Rows of a query on their way out of it, into tables and files: kept when the run has succeeded, gone otherwise.

import type { RowSink } from '#engines/plan-run.ts';

export class Sinks {
  readonly #sinks: RowSink[] = [];

  get isEmpty(): boolean {
    return this.#sinks.length === 0;
  }

  add(sink: RowSink): void {
    this.#sinks.push(sink);
  }

  /** One that cannot be kept keeps the others from it. */
  async commit(): Promise<void> {
    for (const sink of this.#sinks) await sink.prepare();
    for (const sink of this.#sinks) await sink.commit();
  }

  /** Does nothing to what is committed. */
  async discard(): Promise<void> {
    for (const sink of this.#sinks) await sink.discard();
  }
}
