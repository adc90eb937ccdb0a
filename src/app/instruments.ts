// What is measured: every answered request, every group commit, what fails, and the process itself.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { maskDatabaseUser } from '#contract/secret-names.ts';
import type { FoundCorruption } from '#engines/corruption.ts';
import type { EngineUse } from '#engines/engine.ts';
import type { Narrowed } from '#files/owner-only.ts';
import type { AnsweredRequest, RequestObserver } from '#http/server.ts';
import { Metrics } from '#kernel/metrics.ts';
import { Notifier } from '#kernel/notifier.ts';
import { LIMITS, type Limit, RETRY_MODES, type RetryMode } from '#queries/limits.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { CancelReason, QueryEnd } from '#queries/query-ends.ts';
import { NODE_UNAVAILABLE } from '#scheduler/active-run.ts';
import { type CountedSlot, type FailedRun, OUTCOMES } from '#scheduler/slot.ts';
import type { StoreObserver } from '#store/store.ts';
import type { SecretTrouble } from '#vault/vault.ts';
import { collectInstruments } from './collect-instruments.ts';
import { connectionInstruments } from './connection-instruments.ts';
import { detectionInstruments } from './detection-instruments.ts';
import type { ServiceLog } from './service-log.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DELAYS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const UNITS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

interface Watched {
  auditHead(): number;
  auditIndexLag(): number;
  /** Settled before long, whatever the engine is at. */
  engineUse(): Promise<EngineUse | undefined>;
  readonly queries: {
    readonly running: number;
    readonly waiting: number;
    readonly kept: number;
    readonly keptBytes: number;
  };
  readonly scheduler: { readonly size: number };
}

export function instruments(log: ServiceLog) {
  const metrics = new Metrics();
  const requests = metrics.counter('vigil_http_requests_total', 'Answered requests by operation and status.');
  const durations = metrics.histogram('vigil_http_request_duration_seconds', 'Time to answer by operation.', SECONDS);
  const commits = metrics.histogram('vigil_store_commit_seconds', 'Time of a group commit, flush included.', SECONDS);
  const groups = metrics.histogram('vigil_store_group_units', 'Units that shared a group commit.', UNITS);
  const storeErrors = metrics.counter('vigil_store_errors_total', 'Group commits that failed.');
  const defects = metrics.counter('vigil_defects_total', 'Requests answered with an internal error.');
  const alarms = metrics.counter(
    'vigil_audit_alarms_total',
    'Signs that the audit trail was tampered with, seen at the start and by the verification after it.',
  );
  storeErrors.add({}, 0);
  alarms.add({}, 0);
  defects.add({}, 0);
  watchProcess(metrics);
  const open = new OpenRequests();
  metrics.gauge('vigil_http_requests_open', 'Requests being answered.', () => open.count);

  const observer: RequestObserver & StoreObserver = {
    begun: () => open.begin(),
    ended: () => open.end(),
    answered(request) {
      const { method, route, status, milliseconds } = request;
      requests.add({ method, route, status: String(status) });
      durations.observe({ method, route }, milliseconds / 1000);
      log.info(lineOf(request), 'answered');
    },
    defect(error, requestId) {
      defects.add({});
      log.error({ request_id: requestId, error: describe(error) }, 'internal error');
    },
    groupCommitted(units, milliseconds) {
      commits.observe({}, milliseconds / 1000);
      groups.observe({}, units);
    },
    storeFailed(error) {
      storeErrors.add({});
      log.error({ error: describe(error) }, 'a group commit failed');
    },
  };
  return {
    ...observer,
    metrics,
    log,
    allAnswered: () => open.none(),
    alarm(message: string) {
      alarms.add({});
      log.error({}, message);
    },
    ...connectionInstruments(metrics),
    ...protectionInstruments(metrics, log),
    ...queryInstruments(metrics),
    ...scheduleInstruments(metrics, log),
    ...detectionInstruments(metrics, log),
    ...collectInstruments(metrics),
    watch: (watched: Watched) => watchParts(metrics, watched),
  };
}

function watchParts(metrics: Metrics, watched: Watched): void {
  const { auditHead, auditIndexLag, scheduler } = watched;
  metrics.gauge('vigil_audit_head_id', 'Id of the newest durable audit entry.', auditHead);
  metrics.gauge('vigil_audit_index_lag_entries', 'Audit entries not in the text index yet.', auditIndexLag);
  metrics.gauge('vigil_schedules_enabled', 'Schedules that are waited for.', () => scheduler.size);
  watchQueries(metrics, watched);
}

function watchQueries(metrics: Metrics, { engineUse, queries }: Pick<Watched, 'engineUse' | 'queries'>): void {
  metrics.gauge('vigil_queries_running', 'Queries that have a place.', () => queries.running);
  metrics.gauge('vigil_queries_waiting', 'Queries that wait for a place.', () => queries.waiting);
  metrics.gauge('vigil_queries_kept', 'Queries whose status or rows are known.', () => queries.kept);
  let use: EngineUse = { memoryBytes: 0, diskBytes: 0, running: 0, waiting: 0 };
  metrics.beforeScrape(async () => {
    use = (await engineUse()) ?? use;
  });
  metrics.gauge('vigil_query_memory_bytes', 'Memory of queries and fresh records.', () => use.memoryBytes);
  metrics.gauge('vigil_query_disk_bytes', 'What queries could not hold in memory.', () => use.diskBytes);
  metrics.gauge(
    'vigil_query_pieces_at_work',
    'Statements and batches of queries that are worked on.',
    () => use.running,
  );
  metrics.gauge('vigil_query_pieces_waiting', 'Those that wait until others are done.', () => use.waiting);
  metrics.gauge('vigil_query_result_bytes', 'Kept rows of cursors.', () => queries.keptBytes);
}

function queryInstruments(metrics: Metrics) {
  const finished = metrics.counter('vigil_queries_finished_total', 'Queries that have ended, by source and state.');
  const hits = metrics.counter('vigil_query_limit_hits_total', 'How often queries have reached a limit, by limit.');
  const beginnings = metrics.counter(
    'vigil_queries_begun_again_total',
    'Queries that began again: apart from others for want of memory or disk, with threads for rows, or among those that take long.',
  );
  for (const how of RETRY_MODES) beginnings.add({ how }, 0);
  for (const limit of LIMITS) hits.add({ limit }, 0);
  return {
    queryEnded({ request, cancellation }: LiveQuery) {
      finished.add({ source: request.source, state: endOf(cancellation) });
      if (cancellation?.limit) hits.add({ limit: cancellation.limit });
    },
    begunAgain(how: RetryMode) {
      beginnings.add({ how });
    },
    limited(limit: Limit) {
      hits.add({ limit });
    },
  };
}

const JOB_KINDS = ['scheduled-query', 'batch-rule'];
const ENDS = ['succeeded', 'failed', 'cancelled'] as const;
/** What becomes of slots. */
const ENDED_SLOTS = OUTCOMES.flatMap((outcome) => {
  const hasRun = outcome === 'ran' || outcome === 'backfilled';
  return (hasRun ? ENDS : ['none']).map((state) => ({ outcome, state }));
});

function scheduleInstruments(metrics: Metrics, log: ServiceLog) {
  const slots = metrics.counter(
    'vigil_slots_total',
    'Slots of scheduled queries and batch rules, by kind, outcome and state; a slot that runs is counted at its end.',
  );
  const delays = metrics.histogram('vigil_slot_delay_seconds', 'Time from a due slot to the start of its run.', DELAYS);
  for (const kind of JOB_KINDS) for (const ended of ENDED_SLOTS) slots.add({ kind, ...ended }, 0);
  return {
    slots(counted: readonly CountedSlot[]) {
      for (const { kind, outcome, state } of counted) {
        if (state !== 'running') slots.add({ kind, outcome, state: state ?? 'none' });
      }
    },
    runFailed({ kind, guid, name, reason }: FailedRun) {
      // One that was cut off by a stop says nothing about its job.
      const level = reason === NODE_UNAVAILABLE ? 'warn' : 'error';
      log[level]({ kind, guid, name, reason }, 'a run has failed');
    },
    runBegun(milliseconds: number) {
      delays.observe({}, milliseconds / 1000);
    },
  };
}

const FAILURES: readonly CancelReason[] = ['CommandFailure', 'LowDisk'];

function endOf(cancellation: QueryEnd | undefined): 'succeeded' | 'failed' | 'cancelled' {
  if (!cancellation) return 'succeeded';
  return FAILURES.includes(cancellation.reason) ? 'failed' : 'cancelled';
}

/** What is wrong with the files and keys of tables and uploads, for whoever looks into the log. */
function protectionInstruments(metrics: Metrics, log: ServiceLog) {
  const damages = metrics.counter(
    'vigil_damaged_files_total',
    'Files of tables and of uploads that were found damaged.',
  );
  damages.add({}, 0);
  return {
    narrowed(narrowed: Narrowed) {
      const { files, folders, refused } = narrowed;
      if (files + folders > 0) log.warn({ files, folders }, 'modes of the data folder were wider and are narrowed');
      if (refused > 0) log.warn({ refused }, 'modes of the data folder are wider and cannot be narrowed: other owner');
    },
    damaged({ table, path, cause }: FoundCorruption) {
      damages.add({});
      log.error({ table, file: path, ...(cause ? { error: describe(cause) } : {}) }, 'a file of a table is damaged');
    },
    unopened(table: string, reason: string) {
      log.error({ table, reason }, 'a table with fresh records stays closed');
    },
    clearUrls(webhooks: number) {
      log.error({ webhooks }, 'urls of webhooks stay unsealed: put the master secret back and start again');
    },
    secretTrouble({ secret, file, profiles }: SecretTrouble) {
      const message = `the master secret is ${secret}: put it back, the tables of these crypto profiles are closed`;
      log.error({ file, profiles }, message);
    },
  };
}

class OpenRequests {
  count = 0;
  readonly #idle = new Notifier();

  begin(): void {
    this.count += 1;
  }

  end(): void {
    this.count -= 1;
    if (this.count === 0) this.#idle.notify();
  }

  /** Resolves when no request is being answered. */
  async none(): Promise<void> {
    if (this.count > 0) await this.#idle.wait();
  }
}

const LOOP_BEAT_MS = 10;

function watchProcess(metrics: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: LOOP_BEAT_MS });
  delay.enable();
  metrics.gauge('vigil_process_resident_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  metrics.gauge('vigil_process_heap_bytes', 'Used heap.', () => process.memoryUsage().heapUsed);
  metrics.gauge('vigil_process_uptime_seconds', 'Time since the process began.', () => process.uptime());
  metrics.gauge(
    'vigil_event_loop_delay_p99_seconds',
    'How late the event loop is, 99th percentile since the start.',
    // What is measured is the time between two beats.
    () => Math.max(0, delay.percentile(99) / 1e9 - LOOP_BEAT_MS / 1000),
  );
}

const lineOf = ({ requestId, remoteIp, milliseconds, method, route, status, login }: AnsweredRequest) => ({
  request_id: requestId,
  remote_ip: remoteIp,
  ms: Math.round(milliseconds * 1000) / 1000,
  method,
  route,
  status,
  login,
});

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack = '', cause } = error;
  const texts = { message: maskDatabaseUser(message), stack: maskDatabaseUser(stack) };
  return { ...texts, ...(cause ? { cause: describe(cause) } : {}) };
}
