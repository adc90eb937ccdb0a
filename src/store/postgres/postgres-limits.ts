// Time limits of a PostgreSQL database, beyond which it counts as unreachable. Most limits hold twice: in this process,
// so that callers get an error, and at the server, so that abandoned statements do not hold up other writers.

export interface PostgresLimits {
  readonly connectMs: number;
  /** Statements that cost the server nothing. */
  readonly briefMs: number;
  /** Short reads. */
  readonly readMs: number;
  /** Counting and searching in a large audit trail. */
  readonly scanMs: number;
  /** Waiting for other writers. */
  readonly lockMs: number;
  /** Statements that change rows, and commits. */
  readonly statementMs: number;
  /** Extra time for the server's own timeout error, which leaves the connection usable. */
  readonly answerMs: number;
  /**
   * The server ends a transaction that was idle for this long. Shorter than the wait for other writers, who are not refused
   * because one node stands still or is cut off.
   */
  readonly idleMs: number;
  /**
   * A unit may compute for long between two statements; a heartbeat this often keeps its transaction from counting as
   * idle.
   */
  readonly heartbeatMs: number;
  /** A connection that was idle for this long is probed before use. */
  readonly probeAfterMs: number;
  /**
   * After a server accepted a connection without answering, further attempts fail at once for this long, so that queued
   * requests do not wait one after another.
   */
  readonly backOffMs: number;
  /** After this long a caller gets an error for a commit whose outcome is unknown. */
  readonly commitTimeoutMs: number;
  /** Migrations: an index over a large audit trail takes long, and other processes that start meanwhile wait for it. */
  readonly migrationMs: number;
}

export const POSTGRES_LIMITS: PostgresLimits = {
  connectMs: 5000,
  briefMs: 5000,
  readMs: 20_000,
  scanMs: 600_000,
  lockMs: 20_000,
  statementMs: 30_000,
  answerMs: 5000,
  idleMs: 15_000,
  heartbeatMs: 5000,
  probeAfterMs: 10_000,
  backOffMs: 5000,
  commitTimeoutMs: 10_000,
  migrationMs: 3_600_000,
};
