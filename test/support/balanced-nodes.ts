// Several nodes of one installation in the process of a test, with one clock, behind a proxy that sends every request to another
// one: a suite sees one service. Their logs are on one ClickHouse fixture of the process.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type App, type AppOptions, startApp } from '#app/app.ts';
import { readSettings } from '#settings/read-config.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from './clickhouse.ts';
import { freePort } from './free-port.ts';
import { startRotatingProxy } from './rotating-proxy.ts';

/** How many nodes a service of a suite has: `npm run test:cluster` gives three. */
export const NODES = Number(process.env.VIGIL_TEST_NODES ?? 1);

/** Names of the nodes of a service. */
export const NODE_NAMES: readonly string[] = Array.from({ length: NODES }, (_, at) =>
  at === 0 ? 'vigil' : `n${at + 1}`,
);

/**
 * Why a service of a suite has one node in every form of the suites: what it is about belongs to one process, as the product
 * declares it. `test/cluster/alone.test.ts` lists the files that say so.
 */
export const ALONE = {
  embedded: 'records in segments of a data folder belong to the one node that keeps them',
  node: 'limits of connections, bodies, waits, memory and running queries, metrics, warnings and the turn of shards are of a node',
  counts: 'nodes tell each other once a second what they have answered, so a rate may be exceeded by that',
  process: 'single services are started beside each other, or refused, with the folders of this one',
  connection: 'the bytes and the TLS of a connection end at the proxy, which reads the requests itself',
} as const;

export type Alone = keyof typeof ALONE;

const SERVER = Symbol.for('vigil.balanced-nodes');
/** The one object that all files of a process see; the fixture ends with the process. */
const shared = globalThis as { [SERVER]?: Promise<ClickhouseServer> };

/** The setting `logs` of a new database of records. */
export async function newLogs(): Promise<string> {
  shared[SERVER] ??= startClickhouse();
  const server = await shared[SERVER];
  return logsUrl([server], await server.createDatabase());
}

export interface BalancedOptions {
  readonly count: number;
  /** Of the first node; `data` and `keys` of the others stand beside its own. */
  readonly flags: Readonly<Record<string, string>> & { readonly data: string; readonly keys: string };
  readonly options: AppOptions;
}

export interface BalancedNodes extends App {
  readonly nodes: readonly App[];
}

export async function startBalanced({ count, flags, options }: BalancedOptions): Promise<BalancedNodes> {
  const secret = join(dirname(flags.data), 'master-secret');
  mkdirSync(dirname(secret), { recursive: true });
  if (!existsSync(secret)) writeFileSync(secret, randomBytes(32), { mode: 0o600 });
  const apps: App[] = [];
  for (let at = 1; at <= count; at += 1)
    apps.push(await startNode(at, { ...flags, 'master-secret-file': secret }, options));
  const proxy = await startRotatingProxy(apps.map(({ url }) => url));
  const [first] = apps;
  if (!first) throw new Error('no node');
  return {
    ...first,
    nodes: apps,
    url: proxy.url,
    async stop() {
      // Requests under way are answered before their nodes end.
      await Promise.all(apps.map((app) => app.stop()));
      await proxy[Symbol.asyncDispose]();
    },
  };
}

async function startNode(at: number, flags: BalancedOptions['flags'], options: AppOptions): Promise<App> {
  const port = String(await freePort());
  const own = at === 1 ? {} : { node: `n${at}`, data: `${flags.data}-${at}`, keys: `${flags.keys}-${at}` };
  const { config, sources } = await readSettings({
    flags: {
      ...flags,
      ...own,
      port,
      advertise: `http://127.0.0.1:${port}`,
      'advertise-http': 'true',
      // Leases go by the clock of the database, which a suite does not drive.
      'node-renewal': '1',
      'node-lease': '86400',
    },
    environment: {},
  });
  return await startApp(config, { ...options, sources });
}
