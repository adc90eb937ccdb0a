// Rows of a query on their way out of it, into tables and files: stored when the run has succeeded, discarded otherwise.

import type { RowSink } from '#engines/plan-run.ts';

export class Sinks {
  readonly #sinks: RowSink[] = [];

  get isEmpty(): boolean {
    return this.#sinks.length === 0;
  }

  add(sink: RowSink): void {
    this.#sinks.push(sink);
  }

  /** All are prepared before the first is committed: a sink that fails then leaves nothing of the others. */
  async commit(): Promise<void> {
    for (const sink of this.#sinks) await sink.prepare();
    for (const sink of this.#sinks) await sink.commit();
  }

  /** Does nothing to committed rows. */
  async discard(): Promise<void> {
    for (const sink of this.#sinks) await sink.discard();
  }
}
