// Runs a query: waits for a slot, resolves the plan, passes on the rows, counts them, and records the end.

import type { Trail } from '#audit/trail.ts';
import { Exhausted, HostBudgetExceeded, type LogEngine, Preempted } from '#engines/engine.ts';
import type { Page, PlanRun, RowText } from '#engines/plan-run.ts';
import type { Clock } from '#kernel/clock.ts';
import type { CheckedQuery } from '#query/query.ts';
import type { Admission } from './admission.ts';
import type { ExportFolder } from './exports/export-folder.ts';
import { ExportSink } from './exports/export-sink.ts';
import type { QueryLimits, RetryMode } from './limits.ts';
import type { LiveQuery } from './live-query.ts';
import type { HeldLookups } from './lookups/held-lookups.ts';
import { connectionLost, type QueryEnd, queryEndOf, timedOut } from './query-ends.ts';
import type { ResultQuota } from './result-quota.ts';
import { auditSinks } from './sink-audit.ts';
import { type SystemObjects, systemRowsFor } from './system-rows.ts';

export interface QueryRunDeps {
  readonly engine: LogEngine;
  readonly clock: Clock;
  readonly trail: Pick<Trail, 'record'>;
  readonly admission: Admission;
  /** Folder of result files. */
  readonly folder: string;
  readonly resultQuota: ResultQuota;
  readonly limits: Pick<QueryLimits, 'time'>;
  readonly systemObjects: SystemObjects;
  readonly exports: ExportFolder;
  /** Called for every retry of a query. */
  onRetry(how: RetryMode): void;
  /** Called for every query that has ended. */
  ended(query: LiveQuery): void;
  /** Called for unexpected errors. */
  failed(error: unknown): void;
}

/** A consumer that stops reading cancels the query. Throws the error of a cancelled query. */
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

/** The mode in which a failed query is retried; undefined for none. */
function retryModeFor(query: LiveQuery, error: unknown): RetryMode | undefined {
  if (error instanceof HostBudgetExceeded) return 'threads';
  if (error instanceof Preempted) return 'long';
  // A query that runs out of shared memory may not be the one that uses it; an isolated retry decides.
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
  using held = await holdLookups(query);
  await using run = await beginRun(query, deps, { ...way, held });
  using _watching = query.attachRun(run);
  // The run reads records stored by now; columns may have been added since planning.
  await query.checker.refreshTables();
  query.replacePlan(await query.checker.check());
  const { plan, references } = await resolvePlan(query, run);
  query.progress.advancePreambles(references, 'End');
  const kept = keepsRows
    ? await query.openRows(deps.folder, { isSecret: run.isSecret, reservation: deps.resultQuota.of(caller.userGuid) })
    : undefined;
  let read = 0n;
  for await (const block of run.rows(plan, page)) {
    // Rows of a block that fit within the quota stay readable.
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

/** Stored lookups are read as they are now. One that has been removed since the check may have been made again. */
async function holdLookups(query: LiveQuery): Promise<HeldLookups> {
  for (;;) {
    const held = await query.checker.holdLookups(query.checked.references);
    if (held.isWhole) return held;
    held[Symbol.dispose]();
    query.checker.forgetLookups();
    query.replacePlan(await query.checker.check());
  }
}

/** Cancels the query after its maximum run time. */
function startTimeout(query: LiveQuery, { clock, limits: { time } }: QueryRunDeps): Disposable {
  const over = new AbortController();
  void clock.sleep(time, over.signal).then(() => {
    if (!over.signal.aborted) query.cancel(timedOut(time));
  });
  return { [Symbol.dispose]: () => over.abort() };
}

async function beginRun(
  query: LiveQuery,
  deps: QueryRunDeps,
  { ways, held }: Attempt & { held: HeldLookups },
): Promise<PlanRun> {
  const { references, zone } = query.checked;
  const systemRows = await systemRowsFor(references, deps.systemObjects, (account) => query.checker.account(account));
  query.signal.throwIfAborted();
  query.progress.advancePreambles(references, 'Running');
  const facts = query.checker.facts(zone);
  return await deps.engine.begin({
    account: query.request.caller.userGuid,
    isApart: ways.has('apart'),
    isInThreads: ways.has('threads'),
    isLong: ways.has('long'),
    tables: query.checker.specs(references.tables),
    awaited: references.awaitedOnly,
    facts,
    lookups: query.checker.lookupsFor(references, held),
    lookupSink: (node) => query.checker.lookupSink(node, facts.now),
    fileSink: (node) => ExportSink.open(node, facts, deps.exports),
    systemRows,
    watch: query.watch,
    signal: query.signal,
  });
}

/** The query with its complete plan, after the setq and chart stages have run. */
async function resolvePlan(query: LiveQuery, run: PlanRun): Promise<CheckedQuery> {
  for (;;) {
    const { next } = query.checked;
    if (!next) return query.checked;
    if (next.kind === 'chart') query.addChartColumns(await run.chartColumns(next.node));
    else query.addSetqRow(next.query, (await run.firstRow(next.query)) ?? new Map());
    query.replacePlan(await query.checker.check(query.interim));
  }
}
