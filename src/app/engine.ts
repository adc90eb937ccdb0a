// Wires the log engine: its limits, its reports of damaged files, and the servers of the log store.

import { ApiError } from '#contract/errors.ts';
import { openDuckdbEngine } from '#engines/duckdb/engine.ts';
import type { LogEngine } from '#engines/engine.ts';
import type { Clock } from '#kernel/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { Instruments } from './instruments.ts';
import type { LogStore } from './log-store.ts';

interface EngineDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Undefined where logs are embedded. */
  readonly logStore: LogStore | undefined;
}

export function openEngine(config: Config, deps: EngineDeps, instruments: Instruments): Promise<LogEngine> {
  const { logStore, ...parts } = deps;
  if (logStore) return openOnClickhouse(config, { ...parts, logStore }, instruments);
  return openDuckdbEngine({
    ...parts,
    zone: config['time-zone'],
    dataFolder: config.data,
    memory: { folder: config['memory-folder'], cacheBytes: config['memory-cache'] },
    limits: limitsOf(config),
    maintenancePeriod: periodOf(config),
    sealing: { rows: config['segment-rows'], after: Temporal.Duration.from({ seconds: config['seal-after'] }) },
    denseAfterDays: config['dense-after'],
    failed: (error) => instruments.defect(error, 'maintenance'),
    onCorruption: (found) => instruments.damaged(found),
    unopened: (table, refusal) => instruments.unopened(table, refusal.message),
  });
}

/** Long enough to take the pushes of many senders together, short enough for one that waits for each answer. */
const GROUP_FOR = Temporal.Duration.from({ milliseconds: 100 });
/** The server ends a statement at its limit by itself; this is for one that does not. */
const GRACE_SECONDS = 30;
/** Of all records, until several nodes share a log store. */
const NODE = 'vigil';

async function openOnClickhouse(
  config: Config,
  { store, clock, logStore }: EngineDeps & { readonly logStore: LogStore },
  instruments: Instruments,
): Promise<LogEngine> {
  const { clients, limits } = logStore;
  // Loaded here only: most services have embedded logs.
  const { openClickhouseEngine } = await import('#engines/clickhouse/engine.ts');
  const unused = unusedShards(instruments);
  const seconds = Math.min(config['logs-time'], limits.seconds);
  return await openClickhouseEngine({
    ...{ store, clock, clients, node: NODE, groupFor: GROUP_FOR },
    ...(logStore.addedShard ? { addedShard: logStore.addedShard } : {}),
    zone: config['time-zone'],
    dataFolder: config.data,
    memoryFolder: config['memory-folder'],
    limits: limitsOf(config),
    statements: {
      settings: { max_execution_time: seconds },
      deadline: Temporal.Duration.from({ seconds: seconds + GRACE_SECONDS }),
      maxBytes: config['query-disk-per-account'],
    },
    statementMemoryBytes: Math.min(config['logs-memory-per-account'], limits.memoryBytes),
    maintenancePeriod: periodOf(config),
    failed(error) {
      // The work is tried again, and requests are answered with the same error: it is no defect.
      if (error instanceof ApiError) instruments.log.warn({}, `maintenance of the log store: ${error.message}`);
      else if (error instanceof UsageError) unused(error);
      else instruments.defect(error, 'maintenance');
    },
  });
}

/** A server of the cluster that cannot be a shard is looked at in every round, and named once. */
function unusedShards({ log }: Instruments): (error: UsageError) => void {
  let told = '';
  return ({ code, values }) => {
    const text = JSON.stringify([code, values]);
    if (text !== told) log.warn({ ...values, reason: code }, 'a server that was added to the log store is not used');
    told = text;
  };
}

const limitsOf = (config: Config) => ({
  memoryBytes: config['query-memory'],
  diskBytes: config['query-disk'],
  accountMemoryBytes: config['query-memory-per-account'],
  accountDiskBytes: config['query-disk-per-account'],
});

const periodOf = (config: Config) => Temporal.Duration.from({ seconds: config['maintenance-period'] });
