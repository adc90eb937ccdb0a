// How long anything may take on a PostgreSQL database before it counts as unreachable. Most limits hold twice: here, so that
// whoever waits hears of it, and at the server, so that what nobody waits for any longer holds up nobody else.

export interface PostgresLimits {
  readonly connectMs: number;
  /** Of what costs the server nothing. */
  readonly briefMs: number;
  /** Of a short read. */
  readonly readMs: number;
  /** Of counting and seeking in a large audit trail. */
  readonly scanMs: number;
  /** Of waiting for other writers. */
  readonly lockMs: number;
  /** Of a statement that changes something, and of a commit. */
  readonly statementMs: number;
  /** The server gives up first where it can, because its answer leaves the connection whole: the answer has this time. */
  readonly answerMs: number;
  /** For how long the server keeps a transaction open of whose process it hears nothing. */
  readonly idleMs: number;
  /** Units may compute for long between two statements. Meanwhile the server hears this often that somebody is there. */
  readonly heartbeatMs: number;
  /** A connection that was silent for so long is asked whether it is still there before it is relied upon. */
  readonly restedMs: number;
  /** After a server that took a connection and said nothing the next attempts fail at once, so that a queue is through soon. */
  readonly silenceMs: number;
  /** A caller hears after this that nobody can say whether its change was written. */
  readonly doubtMs: number;
  /** Of migrations: an index over a trail of years takes its time, and whoever else starts meanwhile waits for it. */
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
  idleMs: 30_000,
  heartbeatMs: 5000,
  restedMs: 10_000,
  silenceMs: 5000,
  doubtMs: 10_000,
  migrationMs: 3_600_000,
};
