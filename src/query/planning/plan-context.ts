// The ambient facts of planning a text: what it may refer to, what is refused, and the counts that its pipelines share.

import type { SlicedWork, SliceSteps } from '#kernel/sliced-work.ts';
import type { Span } from '#query/model/expression.ts';
import type { QueryErrorList, QueryWarningList } from '#query/model/query-error.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import type { ParsedQuery } from './command.ts';
import type { ConstantWork } from './constant-work.ts';
import type { Constants } from './constants.ts';
import type { EarlierWrites } from './earlier-writes.ts';
import type { PendingParts } from './pending-parts.ts';
import type { Planning } from './planning.ts';
import type { QueryContext } from './query-context.ts';

/** Shared by all pipelines of a text. */
export interface PlanContext {
  readonly queryContext: QueryContext;
  readonly zone: string;
  readonly warnings: QueryWarningList;
  readonly errors: QueryErrorList;
  /** Parameters that were read without a value (90400): similar names are searched once for each. */
  readonly unsetNames: Set<string>;
  readonly shared: SharedCounts;
  /** Not allowed here (92002). */
  readonly refusedFunctions: ReadonlySet<string>;
  readonly isMomentary: boolean;
  /** How many calls of procedures enclose this text. */
  readonly depth: number;
  /** How many parsers enclose this text. */
  readonly parserDepth: number;
  readonly planSubquery: (query: ParsedQuery, constants: Constants, use: 'subquery' | 'setq') => SlicedWork<Plan>;
  /** A query that runs on other nodes: nothing of it is a part of this one. */
  readonly planElsewhere: (query: ParsedQuery, constants: Constants, node: string) => SlicedWork<ElsewherePlan>;
  /** Puts further commands onto a pipeline that has rows. */
  readonly planSteps: (query: ParsedQuery, planning: Planning) => SlicedWork<readonly PlanNode[]>;
  /** The nodes of a stored pipeline without a driver, over rows of the field `line`. */
  readonly planParser: (text: string, span: Span) => SlicedWork<PlanNode>;
  readonly planProcedure: (text: string, queryContext: QueryContext, span: Span) => SlicedWork<Plan>;
}

export interface ElsewherePlan {
  readonly plan: Plan;
  /** Whether its columns are known before it runs. */
  readonly isComplete: boolean;
}

/** Shared by a text and the procedures that it calls. */
export interface SharedCounts {
  readonly work: ConstantWork;
  readonly slices: SliceSteps;
  readonly pending: PendingParts;
  readonly writes: EarlierWrites;
  columns: number;
  /** Searched for similar names so far (90902). */
  unknownNames: number;
  /** Of all texts, procedures once for each call. */
  commands: number;
}
