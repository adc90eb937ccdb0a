// All metrics of the service. Those of requests, group commits and the process are declared here, the others with their subject.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { residentBytes } from '#files/resident-memory.ts';
import type { AnsweredRequest, RequestObserver } from '#http/server.ts';
import { Metrics } from '#kernel/metrics.ts';
import { Notifier } from '#runtime/notifier.ts';
import type { StoreObserver } from '#store/store.ts';
import { clusterInstruments } from './foundation/cluster.ts';
import { loggerInstruments } from './ingestion/collectors.ts';
import { detectionInstruments } from './ingestion/detection.ts';
import { callInstruments } from './queries/forwarding.ts';
import { queryInstruments, type WatchedQueries, watchQueries } from './queries/queries.ts';
import { scheduleInstruments } from './queries/scheduler.ts';
import { describeError, type ServiceLog } from './service-log.ts';
import { connectionInstruments } from './serving/listening.ts';
import { protectionInstruments } from './storage/protection.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const UNITS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

interface Watched extends WatchedQueries {
  auditHead(): number;
  auditIndexLag(): number;
  readonly scheduler: { readonly size: number };
}

export type Instruments = ReturnType<typeof openInstruments>;

export function openInstruments(log: ServiceLog) {
  const metrics = new Metrics();
  watchProcess(metrics);
  return {
    metrics,
    log,
    ...requestInstruments(metrics, log),
    ...storeInstruments(metrics, log),
    ...connectionInstruments(metrics),
    ...callInstruments(metrics, log),
    ...clusterInstruments(metrics),
    ...protectionInstruments(metrics, log),
    ...queryInstruments(metrics, log),
    ...scheduleInstruments(metrics, log),
    ...detectionInstruments(metrics, log),
    ...loggerInstruments(metrics),
    watch: (watched: Watched) => watchParts(metrics, watched),
  };
}

function requestInstruments(metrics: Metrics, log: ServiceLog) {
  const requests = metrics.counter('vigil_http_requests_total', 'Requests answered, by operation and status.');
  const durations = metrics.histogram(
    'vigil_http_request_duration_seconds',
    'Time to answer a request, by operation.',
    SECONDS,
  );
  const defects = metrics.counter('vigil_defects_total', 'Requests answered with an internal error.');
  defects.add({}, 0);
  const open = new OpenRequests();
  metrics.gauge('vigil_http_requests_open', 'Requests being answered.', () => open.count);
  const observer: RequestObserver = {
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
      log.error({ request_id: requestId, error: describeError(error) }, 'internal error');
    },
  };
  return { ...observer, allAnswered: () => open.none() };
}

function storeInstruments(metrics: Metrics, log: ServiceLog) {
  const commits = metrics.histogram('vigil_store_commit_seconds', 'Time of a group commit, fsync included.', SECONDS);
  const groups = metrics.histogram('vigil_store_group_units', 'Units of work in one group commit.', UNITS);
  const storeErrors = metrics.counter('vigil_store_errors_total', 'Group commits that failed.');
  const alarms = metrics.counter(
    'vigil_audit_alarms_total',
    'Signs of tampering with the audit trail, found at the start and by the verification after it.',
  );
  storeErrors.add({}, 0);
  alarms.add({}, 0);
  const observer: StoreObserver = {
    groupCommitted(units, milliseconds) {
      commits.observe({}, milliseconds / 1000);
      groups.observe({}, units);
    },
    storeFailed(error) {
      storeErrors.add({});
      log.error({ error: describeError(error) }, 'a group commit failed');
    },
  };
  return {
    ...observer,
    alarm(message: string) {
      alarms.add({});
      log.error({}, message);
    },
  };
}

function watchParts(metrics: Metrics, watched: Watched): void {
  const { auditHead, auditIndexLag, scheduler } = watched;
  metrics.gauge('vigil_audit_head_id', 'Id of the newest durable audit entry.', auditHead);
  metrics.gauge(
    'vigil_audit_index_lag_entries',
    'Audit entries that wait to be added to the text index.',
    auditIndexLag,
  );
  metrics.gauge(
    'vigil_schedules_enabled',
    'Enabled schedules of scheduled queries and batch rules.',
    () => scheduler.size,
  );
  watchQueries(metrics, watched);
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

const LOOP_SAMPLE_MS = 10;

function watchProcess(metrics: Metrics): void {
  const delay = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS });
  delay.enable();
  metrics.gauge('vigil_process_resident_bytes', 'Resident memory of the process.', () => residentBytes());
  metrics.gauge('vigil_process_heap_bytes', 'JavaScript heap in use.', () => getHeapStatistics().used_heap_size);
  metrics.gauge('vigil_process_uptime_seconds', 'Time since the start of the process.', () => process.uptime());
  metrics.gauge(
    'vigil_event_loop_delay_p99_seconds',
    'Delay of the event loop, 99th percentile since the start.',
    // The monitor measures the time between two of its timers.
    () => Math.max(0, delay.percentile(99) / 1e9 - LOOP_SAMPLE_MS / 1000),
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
