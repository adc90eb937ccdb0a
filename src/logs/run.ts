// Runs of plans: an engine makes a run for each query. All statements of a run read the records that were stored when it began.

import type { KnownColumn } from '#query/model/columns.ts';
import type { RunFacts } from '#query/model/run-facts.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import type { EffectServices } from '#query/plan-nodes/kinds.ts';
import type { Plan, PlanNode } from '#query/plan-nodes/plan.ts';
import type { ChartColumn, ChartPlanNode } from '#query/plan-nodes/shared/chart-cells.ts';
import type { LookupName } from '#query/plan-nodes/shared/lookup-rows.ts';
import type { Pending } from '#query/planning/pending-parts.ts';
import type { TableSpec } from './log-store.ts';
import type { LookupFile } from './lookup-files.ts';
import type { StageRecorder } from './stage-recorder.ts';

/** Where a command of a plan stands (12.2). Only ever moves forward. */
export const COMMAND_STATUSES = ['Waiting', 'Running', 'Finalizing', 'End'] as const;
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

/** Follows the progress of a run. Repeated or late calls change nothing: counts only grow, statuses only move forward. */
export interface RunWatch {
  moved(node: PlanNode, status: CommandStatus): void;
  /** The node has handed on at least so many rows. */
  reached(node: PlanNode, rows: bigint): void;
}

/** Rows that a sink behind a window has stored. */
export interface KeptRows {
  readonly planNode: PlanNode;
  readonly rows: bigint;
}

export interface RunDeps {
  /** Every table that the plans of this run read or write, by its name. */
  readonly tables: ReadonlyMap<string, TableSpec>;
  /** Those of them of which nothing stored is read: only what arrives. */
  readonly awaited: ReadonlySet<string>;
  readonly facts: RunFacts;
  /** What the effects of nodes are opened with. */
  readonly services: EffectServices;
  /** Whether rows of `system` may come from encrypted tables. */
  readonly hasSecretRows: boolean;
  /** Absent: no plan of this run names one. */
  readonly lookups?: RunLookups;
  readonly watch: RunWatch;
  /** Told what the run does where; absent where nobody asks. */
  readonly recorder?: StageRecorder | undefined;
  /** The account of the query; an isolated run shares memory and disk with this account alone. */
  readonly account: string;
  readonly isApart: boolean;
  /** Whether rows that the local evaluator works on are left to threads, also where a statement could call it; see `LocalBudgetExceeded`. */
  readonly isInThreads: boolean;
  /** Whether it is known to take long; see `Preempted`. */
  readonly isLong: boolean;
  /** Interrupts the run; everything that waits for it rejects with the reason. */
  readonly signal: AbortSignal;
}

/** What the stages of a run follow from, before anything runs. */
export interface OutlineDeps extends Pick<RunDeps, 'tables' | 'awaited' | 'facts' | 'lookups' | 'signal'> {
  readonly plan: Plan;
  /** The part of the plan that must run before the rest is known. */
  readonly next: Pending | undefined;
  readonly recorder: StageRecorder;
}

/** The rows of a lookup, of which each key is there once. */
export interface LookupData {
  readonly columns: readonly KnownColumn[];
  /** In memory, or in a file that is held as long as the run lasts; a stored lookup without a file has no rows. */
  readonly rows: readonly MapValue[] | LookupFile;
}

export interface RunLookups {
  /** Whether one that the plans name holds what came from an encrypted table. */
  readonly isSecret: boolean;
  of(name: LookupName): LookupData | undefined;
  build(lookup: BuiltLookup): LookupBuild;
  drop(name: LookupName): Promise<void>;
}

export interface BuiltLookup {
  readonly name: string;
  /** The owner, where that is not the account of the query. */
  readonly account?: string;
  readonly key: string;
  readonly columns: readonly KnownColumn[];
  readonly isSecret: boolean;
}

/** A lookup on its way into memory: there for others when it is committed. */
export interface LookupBuild {
  /** `size` in characters. Throws where it becomes too large. */
  add(rows: readonly MapValue[], size: number): void;
  commit(): Promise<void>;
}

/** The first and how many of the rows; all where it is absent. */
export interface Page {
  readonly offset: bigint;
  readonly limit: bigint;
}

/**
 * A row of a result: a JSON array of the columns of the plan's result in their order, then, where the plan has an
 * overflow, an object of it or null. Dates are epoch milliseconds and binaries base64 where the column has that type,
 * and `{"$date": …}`, `{"$binary": …}` inside lists, maps and columns of type `any`.
 */
export type RowText = string;

export interface Run extends AsyncDisposable {
  /** Whether something it reads is encrypted: nothing of it may then lie on a disk in clear. */
  readonly isSecret: boolean;
  /** Rows that sinks behind a window have stored: these stay if the run fails. Final once the run is disposed of. */
  readonly kept: readonly KeptRows[];
  /** Of a plan that is complete. Some thousands at a time, in order; sinks have stored their rows at the end. */
  rows(plan: Plan, page?: Page): AsyncGenerator<readonly RowText[]>;
  /** Of the query of a setq; undefined where it gives no row. */
  firstRow(plan: Plan): Promise<ReadonlyMap<string, Value> | undefined>;
  /** The columns that a chart makes of the values it reads; `isResult`: no command follows it. */
  chartColumns(node: ChartPlanNode, options?: { isResult?: boolean }): Promise<readonly ChartColumn[]>;
  /**
   * Once its rows have been read: tells `watch` what every command of the plan and of its subqueries has handed on,
   * exactly, and that all have ended. `rows` is how many were read where that was all of them.
   */
  counted(plan: Plan, rows?: bigint): Promise<void>;
  /** Brings the counts of the running statement up to date. */
  refreshProgress(): void;
}
