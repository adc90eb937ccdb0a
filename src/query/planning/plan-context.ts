// The ambient facts of planning a text: what it may refer to, what is refused, and the counts that its pipelines share.

import type { Span } from '#query/model/expression.ts';
import type { QueryErrorList, QueryWarning } from '#query/model/query-error.ts';
import type { Plan, PlanNode } from '#query/nodes/plan.ts';
import type { ChartNode } from '#query/nodes/shared/chart-cells.ts';
import type { ParsedQuery } from './command.ts';
import type { ConstantWork } from './constant-work.ts';
import type { Constants } from './constants.ts';
import type { Planning } from './planning.ts';
import type { QueryContext } from './query-context.ts';

/** Shared by all pipelines of a text. */
export interface PlanContext {
  readonly queryContext: QueryContext;
  readonly zone: string;
  readonly warnings: QueryWarning[];
  readonly errors: QueryErrorList;
  readonly shared: SharedCounts;
  /** Not allowed here (92002). */
  readonly refusedFunctions: ReadonlySet<string>;
  readonly isMomentary: boolean;
  /** How many calls of procedures enclose this text. */
  readonly depth: number;
  /** How many parsers enclose this text. */
  readonly parserDepth: number;
  readonly planSubquery: (query: ParsedQuery, constants: Constants, use: 'subquery' | 'setq') => Plan;
  /** Puts further commands onto a pipeline that has rows. */
  readonly planSteps: (query: ParsedQuery, planning: Planning) => readonly PlanNode[];
  /** The nodes of a stored pipeline without a driver, over rows of the field `line`. */
  readonly planParser: (text: string, span: Span) => PlanNode;
  readonly planProcedure: (text: string, queryContext: QueryContext, span: Span) => Plan;
}

/** Shared by a text and the procedures that it calls. */
export interface SharedCounts {
  readonly work: ConstantWork;
  columns: number;
  setqs: number;
  charts: number;
  /** Searched for similar names so far (90902). */
  unknownNames: number;
  /** Of the procedures that are called. */
  commands: number;
  pending: Pending | undefined;
}

/** A part that must run before the rest of a plan is known. */
export type Pending =
  /** Its first row gives parameters. */
  | { readonly kind: 'setq'; readonly query: Plan }
  /** A timechart with `by`, or a pivot: the values of its input make its columns. */
  | { readonly kind: 'chart'; readonly node: ChartNode };
