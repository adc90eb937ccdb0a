// What a run does where, for those who ask: each statement and each piece of local work is told as it begins, with the nodes
// that it works for, and what it has read and handed over as it goes on.

import type { PlanNode } from '#query/plan-nodes/plan.ts';

export const STAGE_ENGINES = ['embedded', 'clickhouse', 'node'] as const;
/** `node`: work that reads no stored record where it lies. */
export type StageEngine = (typeof STAGE_ENGINES)[number];

export type Share = 'rows' | 'filter' | 'stages';

export interface StageStart {
  readonly engine: StageEngine;
  /** In any order; some may belong to a procedure. */
  readonly planNodes: readonly PlanNode[];
  /** Its text with names of parameters in place of values; asked for where somebody may read it. */
  readonly statement?: (() => string) | undefined;
  /** What another engine does of the plan: it hands over rows between times, those alone that may matter, or whole stages. */
  readonly share?: Share | undefined;
}

/** Takes the numbers of a stage as they become known. Null: not known, and so are all sums with it. */
export interface StageMeter {
  read(rows: number | null, bytes: number | null): void;
  /** From the engine to this process. */
  moved(rows: number, bytes: number): void;
  ended(): void;
}

export interface StageRecorder {
  begin(stage: StageStart): StageMeter;
  /** One that would begin, if it ran. */
  plan(stage: StageStart): void;
}

/** Counts texts that were handed over. */
export function movedTexts(meter: StageMeter, texts: readonly string[]): void {
  meter.moved(
    texts.length,
    texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  );
}
