// The interface of a kind of job: its jobs and their schedules, the request of an attempt, and the effects of its result. Slots,
// leases, backfill and the only timer belong to the scheduler.

import type { ApiError } from '#contract/errors.ts';
import type { NodeType } from '#contract/values.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { QueryRequest } from '#queries/query-request.ts';
import type { Db } from '#store/kysely.ts';
import type { AttemptEnd, JobKey, OpenSlot, TimeWindow } from './slots/slot.ts';

/** A job that is enabled and has a schedule. */
export interface ScheduledJob {
  readonly guid: string;
  readonly cron: string;
  /** Start of the schedule: earlier slots are not due. */
  readonly since: number;
}

/** Called for the end of every attempt, to raise and clear failures. */
export interface JobFailures {
  /** Part of the unit that records the end. */
  ended(db: Db, job: JobKey & { readonly name: string }, end: AttemptEnd): Promise<void>;
  /** Called when the writes of `ended` are durable. */
  written(): void;
}

/** Whether a job may run now. */
export interface JobEligibility {
  readonly name: string;
  readonly isEnabled: boolean;
  /** As of a `ScheduledJob`. */
  readonly since: number;
  /** Node types that may run it; undefined for all. */
  readonly nodeTypes: readonly NodeType[] | undefined;
}

/** The periods that the slots of a job analyse. */
export interface JobWindows {
  /** For the time of an attempt; undefined if the text of the job decides. */
  at(clockTime: number): TimeWindow | undefined;
  /** Whether one attempt may analyse the windows of several slots. */
  readonly areMergeable: boolean;
}

export type JobRequest = Pick<QueryRequest, 'caller' | 'calledBy' | 'source' | 'text' | 'lead'> & {
  /** Error that fails the attempt regardless of its text. */
  readonly refusal?: ApiError | undefined;
  /** Whether `collect` reads its result. */
  readonly isCollected: boolean;
  /** Time ranges of tables where the text has none. */
  readonly windows?: JobWindows;
};

/** An attempt that has ended, in the unit that records its end. */
export interface EndedAttempt {
  readonly slot: OpenSlot;
  readonly end: AttemptEnd;
  /** Result of `collect`; undefined where it was not called. */
  readonly collected: unknown;
  /** Runs `work` once the unit is durable. */
  afterCommit(work: () => void): void;
}

/** A slot that another event than a schedule makes due. */
export interface CausedSlot {
  readonly guid: string;
  readonly key: string;
  readonly slotTime: number;
  readonly clockTime: number;
  /** Whether it follows a backfill: it waits for the attempt before it instead of being skipped. */
  readonly isBackfill: boolean;
  /** Tagged JSON. */
  readonly constants: string | null;
}

export interface JobKind {
  readonly name: string;
  /** True if each slot analyses a window of time and no window may be left out: see line.ts. */
  readonly isContinuous?: boolean;
  /** All jobs that have a schedule and are enabled, or those of `guids`. */
  scheduled(db: Db, guids?: readonly string[]): Promise<readonly ScheduledJob[]>;
  /** Existing jobs among `guids`. */
  eligibility(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, JobEligibility>>;
  /** The current request of the job; undefined for a removed job. */
  request(db: Db, guid: string): Promise<JobRequest | undefined>;
  /** Reads the rows of a successful attempt. */
  collect(query: LiveQuery, request: JobRequest): Promise<unknown>;
  /** Slots caused by the end of an attempt; part of the unit that records the end. */
  ended(db: Db, attempt: EndedAttempt): Promise<readonly CausedSlot[]>;
}
