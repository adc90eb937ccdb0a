// Rows of a query on their way out of it, into tables and files: stored when the run has succeeded, discarded otherwise.

import type { Staging } from '#logs/log-store.ts';
import type { RunDeps } from '#logs/run.ts';
import type { RowSink, WorkEffect } from '#query/plan-nodes/effect.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { PlanNode } from '#query/plan-nodes/plan.ts';
import { importSink } from './imported-rows.ts';

/** Rows that a run stores, and where it does. */
export interface OpenSink {
  /** The rows that are written, if they are not those of the input. */
  readonly records?: PlanNode;
  readonly open: () => Promise<RowSink>;
  /** Whether its rows are stored as they come, and not when the run has succeeded. */
  readonly isImmediate?: boolean;
}

export interface SinkDeps extends Pick<RunDeps, 'services' | 'facts' | 'signal'> {
  stage(table: string): Promise<Staging>;
}

export function sinkOf(
  effect: Extract<WorkEffect<EffectServices>, { readonly kind: 'sink' | 'ingest' }>,
  { stage, services, facts, signal }: SinkDeps,
): OpenSink {
  if (effect.kind === 'ingest') return { open: async () => importSink(await stage(effect.table), facts.now) };
  const open = () => effect.open(services, signal);
  return {
    open,
    isImmediate: effect.isImmediate === true,
    ...(effect.distinct ? { records: effect.distinct.records } : {}),
  };
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
