// The log store on ClickHouse at the start of the service: records are never hidden in another place, a server that cannot
// keep its promises is refused, and one that does not answer is tried until it does.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ClickhouseClient } from '#engines/clickhouse/server/client.ts';
import { NoAnswer } from '#engines/clickhouse/server/failures.ts';
import { requireUsableServer, type ServerLimits } from '#engines/clickhouse/server/start-check.ts';
import { knownTables } from '#engines/clickhouse/storage/catalog.ts';
import { countStoredTables } from '#engines/duckdb/storage/stored-tables.ts';
import { systemClock } from '#kernel/clock.ts';
import { UsageError } from '#kernel/usage-error.ts';
import type { Config } from '#settings/index.ts';
import type { LogStoreUrl } from '#settings/logs.ts';
import type { Store } from '#store/store.ts';
import type { ServiceLog } from './service-log.ts';

/** Servers that may be used. */
export interface LogStore {
  readonly clients: readonly ClickhouseClient[];
  readonly limits: ServerLimits;
}

interface LogStoreDeps {
  readonly store: Store;
  readonly log: ServiceLog;
}

const PAUSE = Temporal.Duration.from({ seconds: 1 });

/** Undefined where logs are embedded. Throws a UsageError where the service must not start. */
export async function openLogStore(config: Config, { store, log }: LogStoreDeps): Promise<LogStore | undefined> {
  const { logs, data } = config;
  if (logs === 'embedded') {
    if ((await knownTables(store)).length > 0) throw new UsageError('logs-on-clickhouse');
    return undefined;
  }
  const count = await countStoredTables(store, data);
  if (count > 0) throw new UsageError('logs-embedded', { folder: resolve(data), count: String(count) });
  const password = logs.password ?? readPassword(config['logs-password-file']);
  for (let isTold = false; ; isTold = true) {
    for (const host of logs.hosts) {
      const found = await tryHost(logs, { ...host, password });
      if (found) return found;
      if (!isTold) log.warn({ host: `${host.host}:${host.port}` }, 'the log store does not answer: it is tried again');
    }
    await systemClock.sleep(PAUSE);
  }
}

/** Undefined where it does not answer. */
async function tryHost(
  { isTls, user, database }: LogStoreUrl,
  way: { readonly host: string; readonly port: number; readonly password: string },
): Promise<LogStore | undefined> {
  const client = new ClickhouseClient({ clock: systemClock, address: { ...way, isTls, user, database } });
  try {
    return { clients: [client], limits: await requireUsableServer(client, user) };
  } catch (error) {
    await client.close();
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

/** An editor leaves a line end behind it. */
function readPassword(path: string | undefined): string {
  if (path === undefined) return '';
  if (!existsSync(path)) throw new UsageError('no-such-file', { path });
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
}
