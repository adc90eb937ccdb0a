// Parts of a query that must run before the rest of its plan is known, gathered while it is planned: rows of setq, phases
// before the last one (7.0), values that name the columns of charts. A pipeline is planned inside of another one, so the
// parts of each are gathered apart and handed to the enclosing one at its end.

import type { SlicedWork } from '#kernel/sliced-work.ts';
import type { Value } from '#query/model/values.ts';
import type { Plan } from '#query/plan-nodes/plan.ts';
import type { ChartColumn, ChartPlanNode } from '#query/plan-nodes/shared/chart-cells.ts';

/** `index` counts the parts of a kind in the order in which they are planned. */
export type Pending =
  /** Its first row gives parameters. */
  | { readonly kind: 'setq'; readonly index: number; readonly query: Plan }
  /** Runs to its end before the next phase begins; `after` goes to `endedPhases` then. */
  | { readonly kind: 'phase'; readonly index: number; readonly plan: Plan; readonly after: PartCounts }
  /** A timechart with `by`, or a pivot: the values of its input make its columns. */
  | { readonly kind: 'chart'; readonly index: number; readonly planNode: ChartPlanNode };

/** How many parts of each kind were planned. */
export interface PartCounts {
  readonly setqs: number;
  readonly charts: number;
  readonly phases: number;
}

/** Results of the parts that have run, by their indexes. */
export interface InterimResults {
  /** First rows of setq commands; an empty map where there was no row. */
  readonly setqResults?: readonly (ReadonlyMap<string, Value> | undefined)[];
  readonly chartColumns?: readonly (readonly ChartColumn[] | undefined)[];
  /** With the parts that were planned up to the end of each: commands of an ended phase may name objects that are gone. */
  readonly endedPhases?: ReadonlyMap<number, PartCounts>;
}

type PipelineUse = 'query' | 'subquery' | 'setq';

/** The parts that the current phase of a pipeline waits for. */
interface Gathered {
  readonly use: PipelineUse;
  setq?: Pending | undefined;
  /** Of its subqueries and procedures: constants and phases, which run before the rows of this phase. */
  inner?: Pending | undefined;
  chart?: Pending | undefined;
  /** The first part of an earlier phase that has not ended. */
  earlier?: Pending | undefined;
}

export class PendingParts {
  readonly #open: Gathered[] = [];
  #counts: PartCounts = { setqs: 0, charts: 0, phases: 0 };
  #replays = 0;
  #first: Pending | undefined;

  /** The part that runs next; undefined where the plan is complete. */
  get first(): Pending | undefined {
    return this.#first;
  }

  /** Whether the commands that are planned belong to a phase that has ended: their errors come too late to count. */
  get isReplay(): boolean {
    return this.#replays > 0;
  }

  /** Whether the pipeline that is planned is inside of a setq, where nothing may be written (11). */
  get isInSetq(): boolean {
    return this.#open.some(({ use }) => use === 'setq');
  }

  /** Plans a pipeline whose parts are its own. */
  *within<T>(use: PipelineUse, plan: () => SlicedWork<T>): SlicedWork<T> {
    const own: Gathered = { use };
    this.#open.push(own);
    try {
      return yield* plan();
    } finally {
      this.#open.pop();
      this.#handOn(own);
    }
  }

  /** The row of the next setq, once it has run. */
  setq(query: Plan, { setqResults }: InterimResults): ReadonlyMap<string, Value> | undefined {
    const index = this.#next('setqs');
    const row = setqResults?.[index];
    const own = this.#open.at(-1);
    if (!row && own) own.setq ??= { kind: 'setq', index, query };
    return row;
  }

  /** The columns of the next chart, once its values are known. */
  columns({ chartColumns }: InterimResults): readonly ChartColumn[] | undefined {
    const index = this.#next('charts');
    return chartColumns?.[index];
  }

  /** The chart whose columns were asked for last, and are not known. */
  chart(node: ChartPlanNode): void {
    const own = this.#open.at(-1);
    if (own) own.chart ??= { kind: 'chart', index: this.#counts.charts - 1, planNode: node };
  }

  /** Plans the commands of a phase that another one follows, and tells whether it has ended. */
  *phase(interim: InterimResults, plan: () => SlicedWork<Plan>): SlicedWork<{ plan: Plan; isEnded: boolean }> {
    const index = this.#next('phases');
    const ended = interim.endedPhases?.get(index);
    this.#replays += ended ? 1 : 0;
    try {
      const made = yield* plan();
      this.#endPhase(ended ? undefined : { kind: 'phase', index, plan: made, after: this.#counts });
      return { plan: made, isEnded: ended !== undefined };
    } finally {
      this.#replays -= ended ? 1 : 0;
      this.#counts = ended ?? this.#counts;
    }
  }

  #next(kind: keyof PartCounts): number {
    const index = this.#counts[kind];
    this.#counts = { ...this.#counts, [kind]: index + 1 };
    return index;
  }

  #endPhase(phase: Pending | undefined): void {
    const own = this.#open.at(-1);
    if (!own) throw new Error('a phase is planned inside of a pipeline');
    const earlier = own.earlier ?? (phase && (own.setq ?? own.inner ?? own.chart ?? phase));
    const none: Omit<Gathered, 'use'> = { earlier, setq: undefined, inner: undefined, chart: undefined };
    Object.assign(own, none);
  }

  #handOn({ use, earlier, setq, inner, chart }: Gathered): void {
    const before = earlier ?? setq ?? inner;
    const enclosing = this.#open.at(-1);
    if (use === 'query' || !enclosing) this.#first ??= before ?? chart;
    else if (use === 'setq') enclosing.setq ??= before ?? chart;
    else {
      enclosing.inner ??= before;
      enclosing.chart ??= chart;
    }
  }
}
