// Limits of queries. Every limit is a setting, and the error of a query that exceeds a limit names it.

/** Labels of metrics. */
export const LIMITS = ['waiting', 'memory', 'disk', 'result', 'time', 'statuses'] as const;
export type Limit = (typeof LIMITS)[number];

/** Maximum per account and in all. */
export interface Ceiling {
  readonly perAccount: number;
  readonly total: number;
}

export interface QueryLimits {
  /** Running queries. */
  readonly running: Ceiling;
  /** Queries that wait for a slot. */
  readonly waiting: Ceiling;
  /** Maximum run time, counted from the start of execution. */
  readonly time: Temporal.Duration;
  /** Bytes of kept rows. */
  readonly results: Ceiling & { readonly perQuery: number };
  /** Queries whose status is kept. */
  readonly statuses: Ceiling;
}

/** A query has exceeded a limit. Only this query fails. */
export class LimitReached extends Error {
  readonly limit: Limit;

  constructor(limit: Limit, message: string) {
    super(message);
    this.limit = limit;
  }
}

/**
 * How a query that met a limit is retried. `apart`: in an instance that only queries of its account share. `threads`: local
 * work runs in threads only. `long`: in a slot for long queries.
 */
export const RETRY_MODES = ['apart', 'threads', 'long'] as const;
export type RetryMode = (typeof RETRY_MODES)[number];
