// Wires the live queries and their limits; and declares their metrics.

import { join } from 'node:path';
import type { Accounts } from '#access/accounts/accounts.ts';
import type { Defects } from '#app/defects.ts';
import { describeError, type ServiceLog } from '#app/service-log.ts';
import type { Nodes } from '#cluster/members/membership.ts';
import type { Databases } from '#connections/databases/databases.ts';
import { headersOf, usableProfiles } from '#connections/profiles.ts';
import type { Metrics } from '#kernel/metrics.ts';
import type { HostList } from '#kernel/net/host-list.ts';
import type { EngineUse } from '#logs/log-store.ts';
import { openExportFolder } from '#queries/exports/export-folder.ts';
import { ImportFolders } from '#queries/imports/import-folders.ts';
import { LIMITS, type Limit, type QueryLimits, RETRY_MODES, type RetryMode } from '#queries/limits/limits.ts';
import { type LiveQueries, openLiveQueries } from '#queries/live-queries.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import { ProcessLookups, SharedLookups } from '#queries/lookups/lookup-memory.ts';
import { StoredLookups } from '#queries/lookups/stored-lookups.ts';
import type { OtherNode } from '#queries/names/other-nodes.ts';
import type { RemoteNodes } from '#queries/remote/remote-queries.ts';
import type { WebAccess } from '#queries/runs/web-requests.ts';
import type { CancelReason, QueryEnd } from '#queries/status/query-ends.ts';
import type { Config } from '#settings/index.ts';
import { LookupContents } from '#store/rows/lookup-contents.ts';
import type { Store } from '#store/store.ts';
import { readLocations } from './geoip-file.ts';
import { type SystemParts, systemObjects } from './system-objects.ts';

interface QueryParts extends SystemParts {
  readonly accounts: Accounts;
  readonly storedLookups: StoredLookups;
  readonly databases: Databases;
  /** Those of the setting `outbound-hosts`. */
  readonly outboundHosts: HostList;
  /** Undefined where this node is the only one. */
  readonly remoteNodes: RemoteNodes | undefined;
}

/** Several services may work on one database where the logs are not in the folder of one of them. */
const contentsOf = (config: Config, store: Store): LookupContents | undefined =>
  config.database !== undefined && config.logs !== 'embedded' ? new LookupContents(store) : undefined;

export async function openStoredLookups(
  config: Config,
  deps: Pick<QueryParts, 'store' | 'engine' | 'clock'>,
): Promise<StoredLookups> {
  const contents = contentsOf(config, deps.store);
  const lookups = new StoredLookups({ ...deps, contents, zone: config['time-zone'], maxRows: config['lookup-rows'] });
  await lookups.recover();
  return lookups;
}

export async function openQueries(
  config: Config,
  parts: QueryParts,
  instruments: Defects & ReturnType<typeof queryInstruments>,
): Promise<LiveQueries> {
  const zone = config['time-zone'];
  const contents = contentsOf(config, parts.store);
  const geoip = config.geoip === undefined ? {} : { geoip: await readLocations(config.geoip) };
  return await openLiveQueries({
    ...parts,
    ...geoip,
    zone,
    lookupMemory: contents ? new SharedLookups({ store: parts.store, contents }) : new ProcessLookups(),
    node: parts.nodes.own.name,
    otherNodes: () => otherNodes(parts.nodes),
    listElements: config['list-elements'],
    folder: join(config.data, 'results'),
    exports: await openExportFolder(config['export-folder'] ?? join(config.data, 'exports')),
    imports: new ImportFolders(config['import-folders']),
    web: webAccess(parts),
    limits: limitsOf(config),
    ruleSteps: config['rule-steps'],
    retention: {
      status: Temporal.Duration.from({ seconds: config['query-status-kept'] }),
      rows: Temporal.Duration.from({ seconds: config['query-rows-kept'] }),
    },
    systemObjects: systemObjects(parts, zone),
    ended: (query) => instruments.queryEnded(query),
    limited: (limit) => instruments.limited(limit),
    onRetry: (how) => instruments.begunAgain(how),
    failed: (error) => instruments.defect(error, 'queries'),
  });
}

/** A standby runs no queries. */
const otherNodes = async (nodes: Nodes): Promise<readonly OtherNode[]> =>
  (await nodes.list()).flatMap(({ name, state, isSelf }) =>
    isSelf || state === 'standby' ? [] : { name, isAlive: state === 'alive' },
  );

const webAccess = ({ store, vault, outboundHosts }: QueryParts): WebAccess => ({
  hosts: outboundHosts,
  async profile(name, account) {
    const [row] = await store.read((db) => usableProfiles(db, [name], account));
    const headers = row?.kind === 'http' ? headersOf(row, vault) : undefined;
    return row && headers && { row, headers: lowerNames(headers) };
  },
});

const lowerNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const limitsOf = (config: Config): QueryLimits => ({
  running: { perAccount: config['queries-per-account'], total: config['queries-in-all'] },
  waiting: { perAccount: config['queries-waiting-per-account'], total: config['queries-waiting-in-all'] },
  time: Temporal.Duration.from({ seconds: config['query-time'] }),
  results: {
    perQuery: config['query-result'],
    perAccount: config['query-results-per-account'],
    total: config['query-results-in-all'],
  },
  statuses: { perAccount: config['query-statuses-per-account'], total: config['query-statuses-in-all'] },
});

export function queryInstruments(metrics: Metrics, log: ServiceLog) {
  const finished = metrics.counter('vigil_queries_finished_total', 'Queries that have ended, by source and state.');
  const hits = metrics.counter('vigil_query_limit_hits_total', 'Limits reached by queries, by limit.');
  const beginnings = metrics.counter(
    'vigil_queries_begun_again_total',
    'Queries that were restarted: isolated after running out of memory or disk, with threads for rows, or in the slots of long queries.',
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
    rehearsalFailed(error: unknown) {
      log.warn({ error: describeError(error) }, 'a rehearsal has failed');
    },
  };
}

const FAILURES: readonly CancelReason[] = ['CommandFailure', 'LowDisk'];

function endOf(cancellation: QueryEnd | undefined): 'succeeded' | 'failed' | 'cancelled' {
  if (!cancellation) return 'succeeded';
  return FAILURES.includes(cancellation.reason) ? 'failed' : 'cancelled';
}

export interface WatchedQueries {
  /** Settles within a short time, however busy the engine is. */
  engineUse(): Promise<EngineUse | undefined>;
  readonly queries: {
    readonly running: number;
    readonly waiting: number;
    readonly kept: number;
    readonly keptBytes: number;
  };
}

export function watchQueries(metrics: Metrics, { engineUse, queries }: WatchedQueries): void {
  metrics.gauge('vigil_queries_running', 'Queries that hold an execution slot.', () => queries.running);
  metrics.gauge('vigil_queries_waiting', 'Queries waiting for an execution slot.', () => queries.waiting);
  metrics.gauge('vigil_queries_kept', 'Queries whose status or rows are kept.', () => queries.kept);
  let use: EngineUse = { memoryBytes: 0, diskBytes: 0, running: 0, waiting: 0 };
  metrics.beforeScrape(async () => {
    use = (await engineUse()) ?? use;
  });
  metrics.gauge('vigil_query_memory_bytes', 'Memory of running queries and fresh records.', () => use.memoryBytes);
  metrics.gauge('vigil_query_disk_bytes', 'Bytes spilled to disk by running queries.', () => use.diskBytes);
  metrics.gauge('vigil_query_pieces_at_work', 'Statements and batches being executed.', () => use.running);
  metrics.gauge(
    'vigil_query_pieces_waiting',
    'Statements and batches waiting for an execution slot.',
    () => use.waiting,
  );
  metrics.gauge('vigil_query_result_bytes', 'Bytes of rows kept for cursors.', () => queries.keptBytes);
}
