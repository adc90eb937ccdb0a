// Wires the log engine: its limits, its reports of damaged files, and the servers of the log store.

import { join } from 'node:path';
import type { Instruments } from '#app/instruments.ts';
import type { Cluster } from '#cluster/cluster.ts';
import { ApiError } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { LogStore } from '#logs/log-store.ts';
import type { SharedColumns } from '#logs/stores/both/shared-columns.ts';
import { openDuckdbEngine } from '#logs/stores/embedded/embedded-store.ts';
import type { Config } from '#settings/index.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import type { ClickhouseServers } from './clickhouse-servers.ts';

interface EngineDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Undefined where logs are embedded. */
  readonly clickhouseServers: ClickhouseServers | undefined;
  readonly cluster: Cluster;
  /** Whether no other process uses the database. */
  readonly isExclusive: boolean;
}

export async function openEngine(config: Config, deps: EngineDeps, instruments: Instruments): Promise<LogStore> {
  const { clickhouseServers } = deps;
  if (!clickhouseServers) return await openEmbedded(config, deps, instruments);
  // Loaded here only: most services have embedded logs.
  const { SharedColumns } = await import('#logs/stores/both/shared-columns.ts');
  const columns = new SharedColumns(deps.store);
  const clickhouse = await openOnClickhouse(config, { ...deps, clickhouseServers, columns }, instruments);
  try {
    const embedded = await openEmbedded(config, { ...deps, columns }, instruments);
    const { BothStores } = await import('#logs/stores/both/both-stores.ts');
    const { store, clock } = deps;
    const engine = new BothStores({
      store,
      clock,
      columns,
      embedded,
      clickhouse,
      spillFolder: join(config.data, 'spill'),
      failed: (error) => instruments.defect(error, 'maintenance'),
    });
    // One that shares its logs has no part in moves, and another process may have begun one meanwhile.
    if (deps.isExclusive) await engine.moves.resume();
    return engine;
  } catch (error) {
    await clickhouse.close();
    throw error;
  }
}

const openEmbedded = async (
  config: Config,
  { store, vault, clock, clickhouseServers, columns }: EngineDeps & { readonly columns?: SharedColumns },
  instruments: Instruments,
) => {
  const { metrics } = instruments;
  const rewritten = metrics.counter(
    'vigil_rewritten_days_total',
    'Days of tables that were rewritten in the present form.',
  );
  const embedded = await openDuckdbEngine({
    store,
    vault,
    clock,
    readsNameless: clickhouseServers !== undefined,
    ...(columns ? { registryOf: columns.of } : {}),
    zone: config['time-zone'],
    dataFolder: config.data,
    memory: { folder: config['memory-folder'], cacheBytes: config['memory-cache'] },
    limits: limitsOf(config),
    maintenancePeriod: periodOf(config),
    sealing: { rows: config['segment-rows'], after: Temporal.Duration.from({ seconds: config['seal-after'] }) },
    denseAfterDays: config['dense-after'],
    rewriteAfterDays: config['rewrite-after'],
    onRewritten: () => rewritten.add({}),
    failed: (error) => instruments.defect(error, 'maintenance'),
    onCorruption: (found) => instruments.damaged(found),
    unopened: (table, refusal) => instruments.unopened(table, refusal.message),
  });
  metrics.gauge('vigil_rewrite_days_left', 'Days of tables in an earlier form.', () => embedded.daysToRewrite);
  return embedded;
};

/** Long enough to take the pushes of many senders together, short enough for one that waits for each answer. */
const GROUP_FOR = Temporal.Duration.from({ milliseconds: 100 });
/** A full disk keeps a server from deleting. */
const ABANDON_FOR = Temporal.Duration.from({ seconds: 5 });
/** The server ends a statement at its limit by itself; this is for one that does not. */
const GRACE_SECONDS = 30;

async function openOnClickhouse(
  config: Config,
  {
    store,
    clock,
    cluster,
    clickhouseServers,
    columns,
  }: EngineDeps & { readonly clickhouseServers: ClickhouseServers; readonly columns: SharedColumns },
  instruments: Instruments,
) {
  const { clients, limits } = clickhouseServers;
  const { openClickhouseEngine } = await import('#logs/stores/clickhouse/clickhouse-store.ts');
  const unused = unusedShards(instruments);
  const seconds = Math.min(config['logs-time'], limits.seconds);
  return await openClickhouseEngine({
    store,
    clock,
    clients,
    cluster,
    groupFor: GROUP_FOR,
    abandonFor: ABANDON_FOR,
    registryOf: columns.of,
    renewedRegistry: columns.renewed,
    ...(clickhouseServers.addedShard ? { addedShard: clickhouseServers.addedShard } : {}),
    zone: config['time-zone'],
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
