// What the scheduler asks of a kind of job: which jobs there are and when they are due, what a run of one is, and what
// becomes of its result. Slots, leases, catching up and the only timer are the scheduler's own.

import type { ApiError } from '#contract/errors.ts';
import type { LiveQuery, QueryRequest } from '#queries/live-query.ts';
import type { TimeRange } from '#query/model/times.ts';
import type { Db } from '#store/kysely.ts';
import type { JobKey, OpenSlot, RunEnd } from './slot.ts';

export const NODE_TYPES = ['control', 'data'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** A job that is enabled and has a schedule. */
export interface ScheduledJob {
  readonly guid: string;
  readonly cron: string;
  /** From when on this schedule counts: slots before it are not due. */
  readonly since: number;
}

/** Told of the end of every run: what fails, and what works again. */
export interface JobFailures {
  /** Part of the unit that writes the end down. */
  ended(db: Db, job: JobKey & { readonly name: string }, end: RunEnd): Promise<void>;
  /** What was written by `ended` is durable. */
  written(): void;
}

/** Whether a job may run now. */
export interface JobFitness {
  readonly name: string;
  readonly isEnabled: boolean;
  /** As of a `ScheduledJob`. */
  readonly since: number;
  /** Where it may run; undefined for anywhere. */
  readonly nodeTypes: readonly NodeType[] | undefined;
}

export type JobRequest = Pick<QueryRequest, 'caller' | 'source' | 'text' | 'lead'> & {
  /** Why it cannot run, whatever its text says; the run fails for it. */
  readonly refusal?: ApiError | undefined;
  /** Whether its result is of use to `collect`. */
  readonly isCollected: boolean;
  /** What is read of tables where the text says no range, for the present that a run sees. */
  rangeAt?(clockTime: number): TimeRange | undefined;
};

/** A run that has ended, in the unit that writes that down. */
export interface EndedRun {
  readonly slot: OpenSlot;
  readonly end: RunEnd;
  /** What `collect` has made of its result; undefined where nothing was collected. */
  readonly collected: unknown;
  /** Does something once the unit is durable. */
  afterCommit(work: () => void): void;
}

/** A slot that falls due because of something else than a schedule. */
export interface CausedSlot {
  readonly guid: string;
  readonly key: string;
  readonly slotTime: number;
  readonly clockTime: number;
  /** Tagged JSON. */
  readonly constants: string | null;
}

export interface JobKind {
  readonly name: string;
  /** All jobs that have a schedule and are enabled, or those of `guids`. */
  scheduled(db: Db, guids?: readonly string[]): Promise<readonly ScheduledJob[]>;
  /** Changes whenever the answer of `scheduled` may have. */
  version(db: Db): Promise<string>;
  /** Those of `guids` that exist. */
  fitness(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, JobFitness>>;
  /** What a run of the job asks, as of now; undefined when the job is gone. */
  request(db: Db, guid: string): Promise<JobRequest | undefined>;
  /** Looks at the rows of a run that has succeeded. */
  collect(query: LiveQuery, request: JobRequest): Promise<unknown>;
  /** What follows from the end of a run; part of the unit that writes the end down. */
  ended(db: Db, run: EndedRun): Promise<readonly CausedSlot[]>;
}
