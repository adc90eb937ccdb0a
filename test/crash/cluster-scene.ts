// A cluster whose surroundings can be harmed: a PostgreSQL server of its own that halts, ways between its parts that are cut without
// a word, and, in the long form, a network namespace and a clock of each node.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickhouse } from '#test/support/clickhouse.ts';
import { type Cluster, type NodeAddress, type PlacedNode, startCluster } from '#test/support/cluster.ts';
import { type NamedNetwork, namespacesMissing, openNetworks } from '#test/support/network-namespaces.ts';
import { type PostgresServer, startPostgres } from '#test/support/postgres.ts';
import { type SilentProxy, startSilentProxy } from '#test/support/silent-proxy.ts';
import { openWrongClock, type WrongClock, wrongClocksMissing } from '#test/support/wrong-clock.ts';
import { isLong } from './rounds.ts';

/** What can be cut of one node. */
export interface NodeWays {
  readonly database: SilentProxy;
  readonly logs: SilentProxy;
  /** From the other nodes. */
  readonly others: SilentProxy;
  /** All of it, and clients; in the long form alone. */
  readonly network: NamedNetwork | undefined;
  readonly clock: WrongClock | undefined;
}

export interface Scene extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly postgres: PostgresServer;
  waysOf(node: { readonly name: string }): NodeWays;
}

/** Everything runs, and nothing is cut. */
export async function openScene(): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startPostgres();
  if ('reason' in postgres) throw new Error(postgres.reason);
  const folder = mkdtempSync(join(tmpdir(), 'vigil-scene-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  stack.defer(() => rmSync(postgres.folder, { recursive: true, force: true }));
  stack.defer(() => postgres.stop());
  const missing = isLong ? namespacesMissing() || wrongClocksMissing() : '';
  if (missing !== '') throw new Error(missing);
  const networks = isLong ? stack.use(openNetworks()) : undefined;
  const server = stack.use(await startClickhouse());
  const ways = new Map<string, NodeWays>();
  const locate = async (node: PlacedNode): Promise<NodeAddress> => {
    const network = networks?.add();
    const own = { network, clock: isLong ? openWrongClock(join(folder, node.name)) : undefined };
    const open = async (target: string) =>
      stack.use(await startSilentProxy({ target, address: networks?.address ?? '127.0.0.1' }));
    const address = network?.address ?? '127.0.0.1';
    const made = {
      database: await open(new URL(node.database).host),
      logs: await open(new URL(server.origin).host),
      others: await open(`${address}:${node.port}`),
      ...own,
    };
    ways.set(node.name, made);
    return {
      advertise: `http://${made.others.host}`,
      environment: {
        VIGIL_HOST: address,
        VIGIL_DATABASE: withHost(node.database, made.database.host),
        VIGIL_LOGS: node.logs.replace(new URL(server.origin).host, made.logs.host),
        ...own.clock?.environment,
      },
      within: network?.command ?? [],
    };
  };
  const cluster = stack.use(await startCluster({ server, postgres: postgres.url, locate }));
  const owned = stack.move();
  return {
    cluster,
    postgres,
    waysOf({ name }) {
      const found = ways.get(name);
      if (!found) throw new Error(`no node ${name}`);
      return found;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function withHost(url: string, host: string): string {
  const made = new URL(url);
  made.host = host;
  return made.href;
}
