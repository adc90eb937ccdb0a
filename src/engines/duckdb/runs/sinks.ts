// Rows of a query on their way out of it, into tables and files: stored when the run has succeeded, discarded otherwise.

import type { RowSink } from '#engines/plan-run.ts';
import { usesOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { DuckdbRunDeps } from './duckdb-run-deps.ts';
import { importSink } from './imported-rows.ts';

/** A node whose rows are stored in a table or a lookup, or written to a file. */
export interface SinkNode {
  readonly input: PlanNode;
  /** The rows that are written, where they are not those of the input. */
  readonly records?: PlanNode;
  readonly open: () => Promise<RowSink>;
}

type SinkDeps = Pick<DuckdbRunDeps, 'stage' | 'fileSink' | 'lookupSink' | 'facts'>;

export function sinkOf(node: PlanNode, { stage, fileSink, lookupSink, facts }: SinkDeps): SinkNode | undefined {
  const { imports, writes, fills } = usesOf(node);
  if (fills) return { input: fills.input, records: fills.records, open: () => lookupSink(fills) };
  if (writes) return { input: writes.input, open: () => fileSink(writes) };
  return imports && { input: imports.input, open: async () => importSink(await stage(imports.table), facts.now) };
}

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
