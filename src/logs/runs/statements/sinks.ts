// Rows of a query on their way out of it, into tables and files: stored when the run has succeeded, discarded otherwise.

import type { RowSink } from '#logs/run.ts';
import type { DatabaseOutput } from '#query/nodes/dboutput.ts';
import { usesOf } from '#query/nodes/facts.ts';
import type { PlanNode } from '#query/nodes/plan.ts';
import type { DuckdbRunDeps } from './duckdb-run.ts';
import { importSink } from './imported-rows.ts';

/** A node whose rows are stored in a table or a lookup, or written to a file. */
export interface SinkNode {
  readonly input: PlanNode;
  /** The rows that are written, where they are not those of the input. */
  readonly records?: PlanNode;
  readonly open: () => Promise<RowSink>;
  /** Whether its rows are stored as they come, and not when the run has succeeded. */
  readonly isImmediate?: true;
}

type SinkDeps = Pick<DuckdbRunDeps, 'stage' | 'fileSink' | 'lookupSink' | 'facts' | 'databases' | 'signal'>;

export function sinkOf(node: PlanNode, deps: SinkDeps): SinkNode | undefined {
  const { stage, fileSink, lookupSink, facts } = deps;
  const { imports, writes, fills, stores } = usesOf(node);
  if (fills) return { input: fills.input, records: fills.records, open: () => lookupSink(fills) };
  if (stores) return { input: stores.input, open: async () => databaseSink(stores, deps), isImmediate: true };
  if (writes) return { input: writes.input, open: () => fileSink(writes) };
  return imports && { input: imports.input, open: async () => importSink(await stage(imports.table), facts.now) };
}

function databaseSink(node: DatabaseOutput, { databases, signal }: SinkDeps): RowSink {
  if (!databases) throw new Error('the run has no databases');
  return databases.sink(node, signal);
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
