// Runs one query: waits for a place, works out what must be known before, hands on the rows, counts, and says how it ended.

import type { Trail } from '#audit/trail.ts';
import { Exhausted, HostBudgetExceeded, type LogEngine, Preempted } from '#engines/engine.ts';
import type { Page, PlanRun, RowText } from '#engines/plan-run.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Plan } from '#query/nodes/plan.ts';
import type { Admission } from './admission.ts';
import type { ExportFolder } from './exports/export-folder.ts';
import { ExportSink } from './exports/export-sink.ts';
import type { QueryLimits, RetryMode } from './limits.ts';
import type { LiveQuery } from './live-query.ts';
import { awaitedOnly, tablesOf } from './plan-nodes.ts';
import { connectionLost, type QueryEnd, queryEndOf, timedOut } from './query-ends.ts';
import type { ResultQuota } from './result-quota.ts';
import { auditSinks } from './sink-audit.ts';
import { type SystemObjects, systemRowsFor } from './system-rows.ts';

export interface QueryRunDeps {
  readonly engine: LogEngine;
  readonly clock: Clock;
  readonly trail: Pick<Trail, 'record'>;
  readonly admission: Admission;
  /** Where kept rows lie. */
  readonly folder: string;
  readonly resultQuota: ResultQuota;
  readonly limits: Pick<QueryLimits, 'time'>;
  readonly systemObjects: SystemObjects;
  readonly exports: ExportFolder;
  /** Told of every query that begins again, and how. */
  onRetry(how: RetryMode): void;
  /** Told of every query that has ended. */
  ended(query: LiveQuery): void;
  /** Told what nobody foresaw. */
  failed(error: unknown): void;
}

/** Whoever stops reading stops the query. Throws what the query has met, whenever it has met something. */
export async function* runQuery(
  query: LiveQuery,
  deps: QueryRunDeps,
  page?: Page,
): AsyncGenerator<readonly RowText[], void> {
  let end: QueryEnd | undefined = connectionLost();
  try {
    yield* rowsOf(query, deps, page);
    end = undefined;
  } catch (error) {
    end = queryEndOf(error, query.request.text);
    // Before the first row whoever waits for it hears of it, and tells.
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
  using _place = await admission.enter(query.request.caller.userGuid, query.signal);
  query.begin(clock.now());
  using _timer = startTimeout(query, deps);
  const modes = new Set<RetryMode>();
  for (;;) {
    try {
      yield* attemptRows(query, deps, { page, ways: modes });
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

/** How a query that has failed may be tried once more. */
function retryModeFor(query: LiveQuery, error: unknown): RetryMode | undefined {
  if (error instanceof HostBudgetExceeded) return 'threads';
  if (error instanceof Preempted) return 'long';
  // Who fails for want of memory need not be who has it all: alone it shows.
  return error instanceof Exhausted && error.isMovable && query.isUnread ? 'apart' : undefined;
}

interface Attempt {
  readonly page: Page | undefined;
  readonly ways: ReadonlySet<RetryMode>;
}

async function* attemptRows(query: LiveQuery, deps: QueryRunDeps, way: Attempt) {
  const { page } = way;
  const { caller, keepsRows } = query.request;
  await query.checker.groups.reload(deps.clock.now());
  await using run = await beginRun(query, deps, way);
  using _watching = query.attachRun(run);
  // It reads what is stored by now, while it was planned over what was known before.
  await query.checker.refreshTables();
  query.replacePlan(await query.checker.check());
  const plan = await resolvePlan(query, run);
  query.progress.advancePreambles(plan, 'End');
  const kept = keepsRows
    ? await query.openRows(deps.folder, { isSecret: run.isSecret, reservation: deps.resultQuota.of(caller.userGuid) })
    : undefined;
  let read = 0n;
  for await (const block of run.rows(plan, page)) {
    // Of a block that does not fit as a whole the rows that do stay readable.
    await kept?.append(block).finally(() => query.raiseRowCount(BigInt(kept.rows)));
    read += BigInt(block.length);
    if (read > 0n) query.raiseRowCount((page?.offset ?? 0n) + read);
    yield block;
  }
  const isWhole = !page || (page.offset === 0n && read < page.limit);
  await run.counted(plan, isWhole ? read : undefined);
  query.signal.throwIfAborted();
  await auditSinks(query, deps.trail);
}

/** Ends the query when its time has run out. */
function startTimeout(query: LiveQuery, { clock, limits: { time } }: QueryRunDeps): Disposable {
  const over = new AbortController();
  void clock.sleep(time, over.signal).then(() => {
    if (!over.signal.aborted) query.cancel(timedOut(time));
  });
  return { [Symbol.dispose]: () => over.abort() };
}

async function beginRun(query: LiveQuery, deps: QueryRunDeps, { ways }: Attempt): Promise<PlanRun> {
  const { plan, zone } = query.checked;
  const systemRows = await systemRowsFor(plan, deps.systemObjects, (account) => query.checker.account(account));
  query.signal.throwIfAborted();
  query.progress.advancePreambles(plan, 'Running');
  const facts = query.checker.facts(zone);
  return await deps.engine.begin({
    account: query.request.caller.userGuid,
    isApart: ways.has('apart'),
    isInThreads: ways.has('threads'),
    isLong: ways.has('long'),
    tables: query.checker.specs(tablesOf(plan)),
    awaited: awaitedOnly(plan),
    facts,
    lookups: query.checker.lookupsFor(plan),
    fileSink: (node) => ExportSink.open(node, facts, deps.exports),
    systemRows,
    watch: query.watch,
    signal: query.signal,
  });
}

/** The plan, when all that it depends on has run. */
async function resolvePlan(query: LiveQuery, run: PlanRun): Promise<Plan> {
  for (;;) {
    const { plan, next } = query.checked;
    if (!next) return plan;
    if (next.kind === 'chart') query.addChartColumns(await run.chartColumns(next.node));
    else query.addSetqRow(next.query, (await run.firstRow(next.query)) ?? new Map());
    query.replacePlan(await query.checker.check(query.interim));
  }
}
