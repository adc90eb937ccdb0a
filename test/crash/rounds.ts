// How often each suite kills the service, and what it tells of every kill. VIGIL_CRASH_ROUNDS counts the kills of all suites
// together, so that `npm run test:crash` ends within half an hour on two cores.

const SHORT_ROUNDS = 3;
/** A round of connections breaks them in nine places; src/store/postgres/broken-connections.test.ts breaks each place in every way. */
const SHORT_CONNECTION_ROUNDS = 1;
/** A kill, a node that stands still, a database that crashes, and a node that is cut from it. */
const SHORT_CLUSTER_ROUNDS = 4;

/** Of a hundred kills. Suites with more kinds of work under way have more to be killed in. */
const SHARES = {
  logs: 18,
  uploads: 17,
  files: 9,
  'stream-rules': 12,
  counts: 3,
  schedules: 10,
  detection: 8,
  connections: 6,
  clickhouse: 5,
  'clickhouse-service': 7,
  cluster: 5,
} as const;

export type CrashSuite = keyof typeof SHARES;

const total = process.env.VIGIL_CRASH_ROUNDS;

export const isLong = total !== undefined;

export function roundsOf(suite: CrashSuite): number {
  if (total !== undefined) return Math.max(1, Math.round((Number(total) * SHARES[suite]) / 100));
  if (suite === 'cluster') return SHORT_CLUSTER_ROUNDS;
  return suite === 'connections' ? SHORT_CONNECTION_ROUNDS : SHORT_ROUNDS;
}

export interface Round {
  readonly suite: CrashSuite;
  /** From 0. */
  readonly round: number;
  /** Where the kill fell. */
  readonly kill: string;
  /** What the service had acknowledged by then, over all rounds, and what was there after the next start. */
  readonly acknowledged: number;
  readonly found: number;
}

/** One line a round in the long form: a run of half an hour that says nothing cannot be told from one that hangs. */
export function report({ suite, round, kill, acknowledged, found }: Round): void {
  if (!isLong) return;
  const rounds = roundsOf(suite);
  const which = `round ${String(round + 1).padStart(String(rounds).length)} of ${rounds}`;
  console.log(
    `${suite.padEnd(18)} ${which}  killed ${kill.padEnd(52)}  acknowledged ${acknowledged.toLocaleString('en').padStart(9)}  found ${found.toLocaleString('en').padStart(9)}`,
  );
}

/** The moment of a kill in words. */
export const afterReady = (milliseconds: number): string => `${Math.round(milliseconds)} ms after it was ready`;
