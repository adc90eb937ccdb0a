// The typed logical plan (15.2): a tree of nodes, one per command, that knows columns, order and time ranges and nothing
// of any SQL dialect. Names are resolved here, once: expressions inside carry column ids.
//
// What a compiler may rely on:
// - A column id means one value per row, everywhere below and above; a name may be given to another column later.
// - `rows.columns` are the known columns in their order. A known column hides an overflow key of the same name.
// - `rows.order` may name columns that are not among `rows.columns`: they are hidden and must be carried along. A node
//   that makes such columns lists them among its fields (`sequence`, `position`, `copy`, sort keys).
// - Fields of nodes hold values, not text: option parameters are resolved, times are instants.

import type { Expression } from '#query/model/expression.ts';
import type {
  Dedup,
  Import,
  Join,
  Limit,
  MemoryBuild,
  Output,
  Pivot,
  Prev,
  Rollup,
  Sort,
  Stats,
  Streamstats,
  Timechart,
  Top,
  Union,
} from './plan-groups.ts';
import type { Node } from './plan-rows.ts';
import type {
  FulltextScan,
  JsonRows,
  LookupRows,
  MemoryDrop,
  ProcedureRun,
  RemoteRun,
  SystemRows,
  TableScan,
  WindowScan,
} from './plan-sources.ts';
import type {
  Bin,
  Block,
  Drop,
  Evalc,
  Explode,
  Filter,
  GivenRows,
  Lookup,
  MatchNet,
  ParseBetween,
  ParseFields,
  ParserRun,
  Pass,
  PlaceLookup,
  Project,
  Repeat,
  Rex,
  ToJson,
} from './plan-steps.ts';

export type * from './plan-groups.ts';
export type * from './plan-rows.ts';
export type * from './plan-sources.ts';
export type * from './plan-steps.ts';

/** set and setq before the driver: no rows yet. */
export interface Preamble extends Node {
  readonly kind: 'preamble';
}

export type Driver =
  | TableScan
  | WindowScan
  | FulltextScan
  | JsonRows
  | ProcedureRun
  | RemoteRun
  | SystemRows
  | LookupRows
  | MemoryDrop;

export type PlanNode =
  | Driver
  | Filter
  | Project
  | Rex
  | ParseBetween
  | ParseFields
  | ParserRun
  | GivenRows
  | Explode
  | Lookup
  | PlaceLookup
  | MatchNet
  | Bin
  | Repeat
  | ToJson
  | Pass
  | Evalc
  | Block
  | Drop
  | Stats
  | Streamstats
  | Prev
  | Rollup
  | Timechart
  | Pivot
  | Sort
  | Limit
  | Dedup
  | Top
  | Join
  | Union
  | MemoryBuild
  | Import
  | Output;

/** A constant that is worked out before any row moves, in the order of the text. */
export type ConstantStep =
  | { readonly kind: 'set'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'setq'; readonly query: Plan };

/** A query ready to run. */
export interface Plan {
  /** Commands in the order of the text, as the status record lists them. */
  readonly commands: readonly (PlanNode | Preamble)[];
  readonly result: PlanNode;
  /** Of this pipeline alone; subqueries have their own. */
  readonly constants: readonly ConstantStep[];
  /** Whether all constants had values: a plan made before a setq has run serves to check a query, not to run it. */
  readonly isComplete: boolean;
}
