// The log store on ClickHouse at the start of the service: records there are never hidden, a server that cannot keep its promises
// is refused, and one that does not answer is tried until it does.

import { existsSync, readFileSync } from 'node:fs';
import type { ServiceLog } from '#app/service-log.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import { allLocations } from '#logs/stores/both/move-catalog.ts';
import { ClickhouseClient } from '#logs/stores/clickhouse/server/client.ts';
import { clusterHosts } from '#logs/stores/clickhouse/server/cluster.ts';
import { NoAnswer } from '#logs/stores/clickhouse/server/failures.ts';
import { requireUsableServer, type ServerLimits } from '#logs/stores/clickhouse/server/start-check.ts';
import type { AddShard } from '#logs/stores/clickhouse/storage/shard-growth.ts';
import {
  checkAddedShard,
  checkShards,
  type MarkedShard,
  rememberShards,
} from '#logs/stores/clickhouse/storage/shard-marks.ts';
import { retry, sameDelay } from '#runtime/retry.ts';
import type { Config } from '#settings/index.ts';
import type { LogStoreUrl } from '#settings/subjects/logs.ts';
import type { Store } from '#store/store.ts';

/** Servers that may be used, one for each shard. */
export interface ClickhouseServers {
  readonly clients: readonly ClickhouseClient[];
  readonly limits: ServerLimits;
  /** To be called once the installation is on record. */
  remember(): Promise<void>;
  /** A server that was added to the cluster since. Absent where there is no cluster; a UsageError says why one is not used. */
  readonly addedShard?: AddShard;
}

interface ServerDeps {
  readonly store: Store;
  /** The guid of the installation. */
  readonly installation: string;
  readonly log: ServiceLog;
}

const PAUSE_MS = 1000;

/** Undefined where logs are embedded. Throws a UsageError where the service must not start. */
export async function openClickhouseServers(config: Config, deps: ServerDeps): Promise<ClickhouseServers | undefined> {
  const { logs } = config;
  const { store, installation, log } = deps;
  if (logs === 'embedded') {
    const locations = [...(await allLocations(store)).values()];
    if (locations.some(({ writesTo, isSplit }) => writesTo === 'clickhouse' || isSplit))
      throw new UsageError('logs-on-clickhouse');
    return undefined;
  }
  const password = logs.password ?? readPassword(config['logs-password-file']);
  const found = await reach({ ...logs, password }, log);
  const marked = await checkShards(store, found.clients, installation).catch(async (error) => {
    await closeAll(found.clients);
    throw error;
  });
  const own = new Set<string>();
  const remember = async (shards: readonly MarkedShard[]) => {
    for (const guid of await rememberShards(store, shards, installation)) own.add(guid);
  };
  const { port, ...usable } = found;
  const opened = { ...usable, remember: () => remember(marked) };
  if (logs.cluster === undefined) return opened;
  const addedShard: AddShard = async (present, { mayAdd }) => {
    const client = await nextServer(present, { ...logs, password, port });
    if (!client) return undefined;
    try {
      requireLimits(await requireUsableServer(client, logs.user), found.limits, client.name);
      const shard = await checkAddedShard(store, client, installation);
      const { guid = '' } = shard;
      if (own.has(guid)) throw new UsageError('log-store-twice', { host: client.name });
      if (shard.isKnown || mayAdd) return { client, remember: () => remember([shard]) };
      await client.close();
      return undefined;
    } catch (error) {
      await client.close();
      throw error;
    }
  };
  return { ...opened, addedShard };
}

interface Reached extends Pick<ClickhouseServers, 'clients' | 'limits'> {
  /** Of all servers of a cluster. */
  readonly port: number;
}
type Access = LogStoreUrl & { readonly password: string };

/** Tries the hosts in turn, until one of them and all shards that it names have answered. */
async function reach(access: Access, log: ServiceLog): Promise<Reached> {
  let isReported = false;
  const silent = ({ server: host, cause }: NoAnswer) => {
    const reason = cause instanceof Error ? cause.message : 'it takes too long';
    if (!isReported) log.warn({ host, reason }, 'the log store does not answer: it is tried again');
  };
  return await retry(() => reachByAny(access, silent), {
    clock: systemClock,
    delays: sameDelay(PAUSE_MS),
    mayRetry(error) {
      isReported = true;
      return error instanceof NoAnswer;
    },
  });
}

/** Rejects with the NoAnswer of the last host where none answers. */
async function reachByAny(access: Access, silent: (error: NoAnswer) => void): Promise<Reached> {
  let last: NoAnswer | undefined;
  for (const way of access.hosts) {
    try {
      return await reachBy(way, access);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      silent(error);
      last = error;
    }
  }
  throw last;
}

async function reachBy(way: LogStoreUrl['hosts'][number], { cluster, ...access }: Access): Promise<Reached> {
  const first = clientOf(way, access);
  const clients = [first];
  try {
    const limits = [await requireUsableServer(first, access.user)];
    const { port } = way;
    if (cluster === undefined) return { clients, port, limits: leastOf(limits) };
    const hosts = await clusterHosts(first, cluster);
    const shards = hosts.map((host) => clientOf({ host, port }, access));
    clients.push(...shards);
    for (const shard of shards) limits.push(await requireUsableServer(shard, access.user));
    await first.close();
    return { clients: shards, port, limits: leastOf(limits) };
  } catch (error) {
    await closeAll(clients);
    throw error;
  }
}

/** The first server of the cluster that is not present, as a server that answers lists them. */
async function nextServer(
  present: readonly ClickhouseClient[],
  { cluster = '', port, ...access }: Access & { readonly port: number },
): Promise<ClickhouseClient | undefined> {
  const hosts = await firstAnswer(present, (client) => clusterHosts(client, cluster));
  const names = new Set(present.map(({ name }) => name));
  const clients = hosts.map((host) => clientOf({ host, port }, access));
  const next = clients.find(({ name }) => !names.has(name));
  await closeAll(clients.filter((client) => client !== next));
  return next;
}

async function firstAnswer<T>(clients: readonly ClickhouseClient[], ask: (client: ClickhouseClient) => Promise<T>) {
  for (const [index, client] of clients.entries()) {
    try {
      return await ask(client);
    } catch (error) {
      if (!(error instanceof NoAnswer) || index === clients.length - 1) throw error;
    }
  }
  throw new Error('a log store has at least one shard');
}

/** Statements are sent with the limits of the start. */
function requireLimits(limits: ServerLimits, inForce: ServerLimits, host: string): void {
  if (limits.memoryBytes >= inForce.memoryBytes && limits.seconds >= inForce.seconds) return;
  throw new UsageError('log-store-stricter', { host });
}

export const clientOf = (
  way: LogStoreUrl['hosts'][number],
  { isTls, user, password, database }: Omit<Access, 'cluster'>,
): ClickhouseClient =>
  new ClickhouseClient({ clock: systemClock, address: { ...way, isTls, user, password, database } });

const leastOf = (limits: readonly ServerLimits[]): ServerLimits => ({
  memoryBytes: Math.min(...limits.map(({ memoryBytes }) => memoryBytes)),
  seconds: Math.min(...limits.map(({ seconds }) => seconds)),
});

async function closeAll(clients: readonly ClickhouseClient[]): Promise<void> {
  for (const client of clients) await client.close();
}

/** An editor leaves a line end behind it. */
export function readPassword(path: string | undefined): string {
  if (path === undefined) return '';
  if (!existsSync(path)) throw new UsageError('no-such-file', { path });
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
}
