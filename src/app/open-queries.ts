// Wires the live queries: their limits, and what `system` shows of the other parts of the service.

import { join } from 'node:path';
import type { Accounts } from '#access/accounts.ts';
import type { Rightful } from '#access/caller.ts';
import type { Trail } from '#audit/trail.ts';
import type { Collectors } from '#collectors/collectors.ts';
import { isAtLeast, NODE_NAME } from '#contract/values.ts';
import type { LogEngine } from '#engines/engine.ts';
import { productManifest } from '#http/product.ts';
import type { LoggerCounters } from '#ingest/counters.ts';
import type { Clock } from '#kernel/clock.ts';
import { openExportFolder } from '#queries/exports/export-folder.ts';
import type { QueryLimits } from '#queries/limits.ts';
import { type LiveQueries, openLiveQueries } from '#queries/live-queries.ts';
import type { MapValue, Value } from '#query/model/values.ts';
import { loggerRows } from '#resources/loggers/system-rows.ts';
import { tableRows } from '#resources/tables/system-rows.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import { readPlaces } from './geoip-file.ts';
import type { instruments } from './instruments.ts';

interface QueryParts {
  readonly store: Store;
  readonly engine: LogEngine;
  readonly accounts: Accounts;
  readonly trail: Trail;
  readonly counters: LoggerCounters;
  readonly collectors: Collectors;
  readonly clock: Clock;
  /** Where this node is reached. */
  address(): string;
}

export async function openQueries(
  config: Config,
  parts: QueryParts,
  measured: ReturnType<typeof instruments>,
): Promise<LiveQueries> {
  const { store, engine, counters, collectors } = parts;
  const zone = config['time-zone'];
  const geoip = config.geoip === undefined ? {} : { geoip: await readPlaces(config.geoip) };
  return await openLiveQueries({
    ...parts,
    ...geoip,
    zone,
    listElements: config['list-elements'],
    folder: join(config.data, 'results'),
    exports: await openExportFolder(config['export-folder'] ?? join(config.data, 'exports')),
    limits: limitsOf(config),
    ruleSteps: config['rule-steps'],
    retention: {
      status: Temporal.Duration.from({ seconds: config['query-status-kept'] }),
      rows: Temporal.Duration.from({ seconds: config['query-rows-kept'] }),
    },
    systemObjects: {
      tables: (caller) => store.read((db) => tableRows(db, caller, { engine, zone })),
      loggers: (caller) => store.read((db) => loggerRows(db, caller, { counters, collectors })),
      nodes: async (caller) => [nodeRow(caller, parts)],
    },
    ended: (query) => measured.queryEnded(query),
    limited: (limit) => measured.limited(limit),
    onRetry: (how) => measured.begunAgain(how),
    failed: (error) => measured.defect(error, 'queries'),
  });
}

const limitsOf = (config: Config): QueryLimits => ({
  places: { perAccount: config['queries-per-account'], total: config['queries-in-all'] },
  waiting: { perAccount: config['queries-waiting-per-account'], total: config['queries-waiting-in-all'] },
  time: Temporal.Duration.from({ seconds: config['query-time'] }),
  results: {
    perQuery: config['query-result'],
    perAccount: config['query-results-per-account'],
    total: config['query-results-in-all'],
  },
  statuses: { perAccount: config['query-statuses-per-account'], total: config['query-statuses-in-all'] },
});

/** A service that runs by itself is its only node. Whoever is no administrator does not see addresses. */
function nodeRow({ role }: Rightful, { clock, address }: QueryParts): MapValue {
  return new Map<string, Value>([
    ['name', NODE_NAME],
    ['type', 'control'],
    ['address', isAtLeast(role, 'ADMIN') ? address() : null],
    ['version', productManifest().version],
    ['is_alive', true],
    ['last_seen', clock.now()],
  ]);
}
