// What a query may take, and what is said when it takes more. Every limit is a setting; whoever runs into one hears which.

import type { Places } from '#kernel/fair-slots.ts';

/** As metrics name them. */
export const LIMITS = ['waiting', 'memory', 'disk', 'result', 'time', 'statuses'] as const;
export type Limit = (typeof LIMITS)[number];

/** Of one account, and of all together. */
export interface Ceiling {
  readonly perAccount: number;
  readonly inAll: number;
}

export interface QueryLimits {
  /** Queries that run. */
  readonly places: Places;
  /** Queries that wait for a place. */
  readonly waiting: Ceiling;
  /** From the moment it has a place. */
  readonly time: Temporal.Duration;
  /** Bytes of kept rows. */
  readonly results: Ceiling & { readonly perQuery: number };
  /** Queries whose status is kept. */
  readonly statuses: Ceiling;
}

/** A query wants more than it may have: it fails, and nobody else does. */
export class LimitReached extends Error {
  readonly limit: Limit;

  constructor(limit: Limit, message: string) {
    super(message);
    this.limit = limit;
  }
}

/**
 * How a query that met a limit may begin again. `apart`: it shares memory and disk with queries of its account alone.
 * `threads`: the host works on rows in threads alone. `long`: it waits for a place among those that take long.
 */
export const RETRY_MODES = ['apart', 'threads', 'long'] as const;
export type RetryMode = (typeof RETRY_MODES)[number];
