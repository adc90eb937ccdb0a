// Several services of one installation: processes with data and keys folders of their own, on one PostgreSQL database and one log
// store, with one master secret and the shortest leases.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newGuid } from '#kernel/guid.ts';
import { type ClickhouseServer, logsUrl } from './clickhouse.ts';
import { createDatabase, createMetadataDatabase, createOn } from './databases.ts';
import { freePort } from './free-port.ts';
import { makeHome, type ServeOptions, type VigilProcess } from './process.ts';
import { client } from './process-suite.ts';
import { MASTER_KEY, type Reply, type send } from './service.ts';

type Environment = Readonly<Record<string, string>>;

export interface ClusterOptions {
  readonly server: ClickhouseServer;
  /** How many nodes; three by default, with the names n1, n2, n3. */
  readonly count?: number;
  /** Of all nodes, beside those of the cluster. */
  readonly environment?: Environment;
  /** Whether the database has no tables at all at the first start. */
  readonly isEmpty?: boolean;
  /** URL of a PostgreSQL server of its own, where the database begins empty; by default the one that all tests share. */
  readonly postgres?: string;
  /** Where a node is, if not beside the others on the loopback. */
  locate?(node: PlacedNode): Promise<NodeAddress>;
}

/** A node before its first start. */
export interface PlacedNode {
  readonly name: string;
  readonly port: number;
  readonly database: string;
  readonly logs: string;
}

export interface NodeAddress {
  /** How other nodes reach it. */
  readonly advertise: string;
  /** Over that of the cluster. */
  readonly environment: Environment;
  /** The program with arguments that its process begins as. */
  readonly within: readonly string[];
}

export interface ClusterNode {
  readonly name: string;
  /** Of its data and its keys. */
  readonly folder: string;
  /** That it listens on whenever it is started. */
  readonly port: number;
  /** Of the process that runs, or ran last. */
  readonly url: string;
  readonly process: VigilProcess;
  call(method: string, path: string, options?: Parameters<typeof send>[2]): Promise<Reply>;
  /** Begins a process; `ready` waits for it. */
  start(environment?: Environment, how?: Pick<ServeOptions, 'executable'>): VigilProcess;
  ready(): Promise<void>;
  /** Sends a signal that ends it, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Its process stands still, with all connections open. */
  freeze(): void;
  thaw(): void;
}

export interface Cluster extends AsyncDisposable {
  readonly nodes: readonly ClusterNode[];
  readonly database: string;
  /** Of the log store. */
  readonly logs: string;
  node(at: number): ClusterNode;
  /** A statement on the metadata database. */
  sql(text: string): Promise<Record<string, unknown>[]>;
}

/** All nodes begin at once, and are ready. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const cluster = await makeCluster(options);
  try {
    for (const node of cluster.nodes) node.start();
    await Promise.all(cluster.nodes.map((node) => node.ready()));
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

/** Nothing runs yet. */
export async function makeCluster(options: ClusterOptions): Promise<Cluster> {
  const { server, count = 3, isEmpty = false } = options;
  const name = `t_${newGuid().replaceAll('-', '')}`;
  const database = await (options.postgres
    ? createOn(options.postgres, name)
    : isEmpty
      ? createDatabase(name)
      : createMetadataDatabase(name));
  const logs = logsUrl([server], await server.createDatabase());
  const folder = mkdtempSync(join(tmpdir(), 'vigil-cluster-'));
  const secret = join(folder, 'master-secret');
  writeFileSync(secret, randomBytes(32), { mode: 0o600 });
  const environment = {
    VIGIL_MASTER_KEY: MASTER_KEY,
    VIGIL_DATABASE: database,
    VIGIL_LOGS: logs,
    VIGIL_MASTER_SECRET_FILE: secret,
    VIGIL_NODE_RENEWAL: '1',
    VIGIL_NODE_LEASE: '3',
    VIGIL_MAINTENANCE_PERIOD: '1',
    ...options.environment,
  };
  // Known before the start, because it is in the address that others reach the node by.
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const locate = options.locate ?? loopbackAddress;
  const nodes = await Promise.all(
    ports.map(async (port, at) => {
      const node = { name: `n${at + 1}`, port, database, logs };
      return makeNode(node, environment, await locate(node));
    }),
  );
  return {
    nodes,
    database,
    logs,
    node(at) {
      const found = nodes[at];
      if (!found) throw new Error(`the cluster has ${count} nodes`);
      return found;
    },
    async sql(text) {
      const connection = new pg.Client({ connectionString: database });
      await connection.connect();
      const { rows } = await connection.query(text);
      await connection.end();
      return rows;
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) node[Symbol.dispose]();
      await Promise.all(nodes.map((node) => node.gone()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const loopbackAddress = async ({ port }: PlacedNode): Promise<NodeAddress> => ({
  advertise: `http://127.0.0.1:${port}`,
  environment: {},
  within: [],
});

function makeNode({ name, port }: PlacedNode, environment: Environment, address: NodeAddress) {
  const home = makeHome();
  let process: VigilProcess | undefined;
  let url = '';
  const running = (): VigilProcess => {
    if (!process) throw new Error(`${name} was not started`);
    return process;
  };
  return {
    name,
    port,
    folder: home.folder,
    get url() {
      return url;
    },
    get process() {
      return running();
    },
    call: (method: string, path: string, options?: Parameters<typeof send>[2]) =>
      client(url).call(method, path, options),
    start(own: Environment = {}, which: Pick<ServeOptions, 'executable'> = {}) {
      const settings = { VIGIL_ADVERTISE: address.advertise, VIGIL_ADVERTISE_HTTP: 'true', VIGIL_NODE: name };
      const how = { port: String(port), within: address.within, ...which };
      process = home.serve({ ...environment, ...settings, ...address.environment, ...own }, how);
      return process;
    },
    async ready() {
      url = await running().ready();
    },
    async end(signal: NodeJS.Signals) {
      running().child.kill(signal);
      return await running().exited();
    },
    freeze: () => void running().child.kill('SIGSTOP'),
    thaw: () => void running().child.kill('SIGCONT'),
    /** Also of one that stands still. */
    [Symbol.dispose]: () => home[Symbol.dispose](),
    gone: async () => void (await process?.exited()),
  };
}
