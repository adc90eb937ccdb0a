// Runs one query: waits for a place, works out what must be known before, hands on the rows, counts, and says how it ended.

import type { Trail } from '#audit/trail.ts';
import { Exhausted, HostBudgetExceeded, type LogEngine, Preempted } from '#engines/engine.ts';
import type { Page, PlanRun, RowText } from '#engines/plan-run.ts';
import type { Clock } from '#kernel/clock.ts';
import { awaitedOnly, tablesOf } from '#query/analysis/references.ts';
import type { Plan } from '#query/nodes/plan.ts';
import type { Admission } from './admission.ts';
import type { ExportFolder } from './exports/export-folder.ts';
import { ExportSink } from './exports/export-sink.ts';
import type { OtherWay, QueryLimits } from './limits.ts';
import type { LiveQuery } from './live-query.ts';
import { connectionLost, type QueryEnd, queryEndOf, ranTooLong } from './query-ends.ts';
import type { ResultRoom } from './result-room.ts';
import { recordSinks } from './sink-entries.ts';
import { type SystemObjects, systemRowsFor } from './system-rows.ts';

export interface RunningParts {
  readonly engine: LogEngine;
  readonly clock: Clock;
  readonly trail: Pick<Trail, 'record'>;
  readonly admission: Admission;
  /** Where kept rows lie. */
  readonly folder: string;
  readonly room: ResultRoom;
  readonly limits: Pick<QueryLimits, 'time'>;
  readonly systemObjects: SystemObjects;
  readonly exports: ExportFolder;
  /** Told of every query that begins again, and how. */
  begunAgain(how: OtherWay): void;
  /** Told of every query that has ended. */
  ended(query: LiveQuery): void;
  /** Told what nobody foresaw. */
  failed(error: unknown): void;
}

/** Whoever stops reading stops the query. Throws what the query has met, whenever it has met something. */
export async function* runQuery(
  query: LiveQuery,
  parts: RunningParts,
  page?: Page,
): AsyncGenerator<readonly RowText[], void> {
  let trouble: QueryEnd | undefined = connectionLost();
  try {
    yield* rowsOf(query, parts, page);
    trouble = undefined;
  } catch (error) {
    trouble = queryEndOf(error, query.request.text);
    // Before the first row whoever waits for it hears of it, and tells.
    const isHeard = !query.request.keepsRows && query.rowCount === 0n;
    if (!query.trouble && trouble.isDefect && !isHeard) parts.failed(error);
  } finally {
    if (trouble) query.cancel(trouble);
    query.finish(parts.clock.now());
    parts.ended(query);
  }
  if (query.trouble) throw query.trouble.thrown;
}

async function* rowsOf(query: LiveQuery, parts: RunningParts, page: Page | undefined) {
  const { clock, admission } = parts;
  using _place = await admission.enter(query.request.caller.userGuid, query.signal);
  query.begin(clock.now());
  using _timer = timerOf(query, parts);
  const ways = new Set<OtherWay>();
  for (;;) {
    try {
      yield* triedRows(query, parts, { page, ways });
      return;
    } catch (error) {
      const other = otherWay(query, error);
      if (!other || ways.has(other) || query.trouble) throw error;
      parts.begunAgain(other);
      query.beginAgain();
      ways.add(other);
    }
  }
}

/** How a query that has failed may be tried once more. */
function otherWay(query: LiveQuery, error: unknown): OtherWay | undefined {
  if (error instanceof HostBudgetExceeded) return 'threads';
  if (error instanceof Preempted) return 'long';
  // Who fails for want of memory need not be who has it all: alone it shows.
  return error instanceof Exhausted && error.isMovable && query.isUnread ? 'apart' : undefined;
}

interface Way {
  readonly page: Page | undefined;
  readonly ways: ReadonlySet<OtherWay>;
}

async function* triedRows(query: LiveQuery, parts: RunningParts, way: Way) {
  const { page } = way;
  const { caller, keepsRows } = query.request;
  await query.checking.groups.renew(parts.clock.now());
  await using run = await begun(query, parts, way);
  using _watching = query.watching(run);
  // It reads what is stored by now, while it was planned over what was known before.
  await query.checking.lookAgain();
  query.planned(await query.checking.check());
  const plan = await completed(query, run);
  query.cells.movePreambles(plan, 'End');
  const kept = keepsRows
    ? await query.openRows(parts.folder, { isSecret: run.isSecret, room: parts.room.of(caller.userGuid) })
    : undefined;
  let read = 0n;
  for await (const block of run.rows(plan, page)) {
    // Of a block that does not fit as a whole the rows that do stay readable.
    await kept?.append(block).finally(() => query.reached(BigInt(kept.rows)));
    read += BigInt(block.length);
    if (read > 0n) query.reached((page?.offset ?? 0n) + read);
    yield block;
  }
  const isWhole = !page || (page.offset === 0n && read < page.limit);
  await run.counted(plan, isWhole ? read : undefined);
  query.signal.throwIfAborted();
  await recordSinks(query, parts.trail);
}

/** Ends the query when its time has run out. */
function timerOf(query: LiveQuery, { clock, limits: { time } }: RunningParts): Disposable {
  const over = new AbortController();
  void clock.sleep(time, over.signal).then(() => {
    if (!over.signal.aborted) query.cancel(ranTooLong(time));
  });
  return { [Symbol.dispose]: () => over.abort() };
}

async function begun(query: LiveQuery, parts: RunningParts, { ways }: Way): Promise<PlanRun> {
  const { plan, zone } = query.checked;
  const systemRows = await systemRowsFor(plan, parts.systemObjects, (account) => query.checking.account(account));
  query.signal.throwIfAborted();
  query.cells.movePreambles(plan, 'Running');
  const facts = query.checking.facts(zone);
  return await parts.engine.begin({
    account: query.request.caller.userGuid,
    isApart: ways.has('apart'),
    isInThreads: ways.has('threads'),
    isLong: ways.has('long'),
    tables: query.checking.specs(tablesOf(plan)),
    awaited: awaitedOnly(plan),
    facts,
    lookups: query.checking.lookupsFor(plan),
    fileSink: (node) => ExportSink.open(node, facts, parts.exports),
    systemRows,
    watch: query.watch,
    signal: query.signal,
  });
}

/** The plan, when all that it depends on has run. */
async function completed(query: LiveQuery, run: PlanRun): Promise<Plan> {
  for (;;) {
    const { plan, next } = query.checked;
    if (!next) return plan;
    if (next.kind === 'chart') query.workedOutColumns(await run.chartColumns(next.node));
    else query.workedOutRow(next.query, (await run.firstRow(next.query)) ?? new Map());
    query.planned(await query.checking.check(query.worked));
  }
}
