// Runs a query: waits for a slot, runs its phases, passes on the rows, counts them, and records the end.

import { Exhausted, LocalBudgetExceeded, Preempted } from '#logs/log-store.ts';
import type { Page, RowText } from '#logs/run.ts';
import { auditRequests } from '#queries/audit/outside-audit.ts';
import type { Admissions } from '#queries/limits/admission.ts';
import type { QueryLimits, RetryMode } from '#queries/limits/limits.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { connectionLost, type QueryEnd, queryEndOf, timedOut } from '#queries/status/query-ends.ts';
import { type Attempt, type PhaseRunDeps, runPhase } from './phase-run.ts';
import { QueryRequests, type WebAccess } from './web-requests.ts';

export interface QueryRunDeps extends PhaseRunDeps {
  readonly admission: Admissions;
  readonly limits: Pick<QueryLimits, 'time'>;
  readonly web: WebAccess;
  /** Called for every retry of a query. */
  onRetry(how: RetryMode): void;
  /** Called for every query that has ended. */
  ended(query: LiveQuery): void;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
}

interface RunOptions {
  readonly page?: Page | undefined;
  /** Resolves when the query is on record: it succeeds only then. */
  readonly record?: () => Promise<void>;
}

/** A consumer that stops reading cancels the query. Throws the error of a cancelled query. */
export async function* runQuery(
  query: LiveQuery,
  deps: QueryRunDeps,
  { page, record }: RunOptions = {},
): AsyncGenerator<readonly RowText[], void> {
  let end: QueryEnd | undefined = connectionLost();
  try {
    yield* rowsOf(query, deps, page);
    await record?.();
    end = undefined;
  } catch (error) {
    end = queryEndOf(error, query.request.text, query.request.caller.locale);
    // Before the first row the streaming request reports the error itself.
    const isHeard = !query.request.keepsRows && query.rowCount === 0n;
    if (!query.cancellation && end.isDefect && !isHeard) deps.failed(error);
  } finally {
    if (end) query.cancel(end);
    query.finish(deps.clock.now());
    deps.ended(query);
  }
  if (query.cancellation) throw query.cancellation.thrown;
}

async function* rowsOf(query: LiveQuery, deps: QueryRunDeps, page: Page | undefined) {
  const { clock, admission } = deps;
  using _admitted = await admission.of(query.request).enter(query.request.caller.userGuid, query.signal);
  query.begin(clock.now());
  using _timer = startTimeout(query, deps);
  const requests = new QueryRequests({ web: deps.web, clock, account: (guid) => query.checker.account(guid) });
  try {
    yield* triedRows(query, deps, { page, requests });
  } finally {
    // Requests are on record, however the query ends.
    await auditRequests(query, requests.used, deps.trail);
  }
}

async function* triedRows(query: LiveQuery, deps: QueryRunDeps, about: Omit<Attempt, 'ways'>) {
  const modes = new Set<RetryMode>();
  for (;;) {
    try {
      yield* attemptRows(query, deps, { ...about, ways: modes });
      return;
    } catch (error) {
      const other = retryModeFor(query, error);
      if (!other || modes.has(other) || query.cancellation) throw error;
      deps.onRetry(other);
      query.resetInterim();
      modes.add(other);
    }
  }
}

/** The mode in which a failed query is retried; undefined for none. */
function retryModeFor(query: LiveQuery, error: unknown): RetryMode | undefined {
  if (error instanceof LocalBudgetExceeded) return 'threads';
  if (error instanceof Preempted) return 'long';
  // A query that runs out of shared memory may not be the one that uses it; an isolated retry decides.
  return error instanceof Exhausted && error.isMovable && mayRepeat(query) ? 'apart' : undefined;
}

/** Parts of it that other nodes have run would be written twice. */
const mayRepeat = ({ isUnread, hasAskedNodes, checked }: LiveQuery): boolean =>
  isUnread && !(hasAskedNodes && checked.references.hasSink);

/** Phases run one after the other (7.0); those that have ended stay so when a later one fails. */
async function* attemptRows(query: LiveQuery, deps: QueryRunDeps, attempt: Attempt) {
  for (let isOver = false; !isOver; ) isOver = yield* runPhase(query, deps, attempt);
}

/** Cancels the query after its maximum run time. */
function startTimeout(query: LiveQuery, { clock, limits: { time } }: QueryRunDeps): Disposable {
  const over = new AbortController();
  void clock.sleep(time, over.signal).then(() => {
    if (!over.signal.aborted) query.cancel(timedOut(time));
  });
  return { [Symbol.dispose]: () => over.abort() };
}
