// Two shards of Debian's ClickHouse 18.16: a real server with its own HTTP interface, processes and KILL, for the transport below
// the engine. It is too old for the engine itself.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from './debian-package.ts';
import { freePort } from './free-port.ts';
import { listening } from './listening.ts';
import { until } from './until.ts';

const PROGRAM = '/usr/sbin/clickhouse-server';
export const OLD_ACCESS = { user: 'vigil', password: 'correct horse' } as const;
/** The name of the cluster of both. */
export const OLD_CLUSTER = 'two';

/** Why there is no such server, after an attempt to install it; empty where there is one. */
export function oldClickhouseMissing(): string {
  if (!existsSync(PROGRAM)) installPackages('clickhouse-server');
  return existsSync(PROGRAM) ? '' : 'no ClickHouse 18.16: the Debian package clickhouse-server is not installed';
}

export interface OldClickhouse extends AsyncDisposable {
  /** Of its HTTP interface; parameters that it is too old for are dropped on the way or written into the statement. */
  readonly origin: string;
  readonly child: () => ChildProcess;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startOldShards(): Promise<readonly [OldClickhouse, OldClickhouse]> {
  const ports = [await freePort(), await freePort()] as const;
  return [await startOld(ports[0], ports), await startOld(ports[1], ports)];
}

async function startOld(tcpPort: number, ports: readonly number[]): Promise<OldClickhouse> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-clickhouse-'));
  const httpPort = await freePort();
  const config = join(folder, 'config.xml');
  for (const name of ['data', 'tmp', 'log']) mkdirSync(join(folder, name));
  writeFileSync(config, configOf({ folder, httpPort, tcpPort, ports }));
  writeFileSync(join(folder, 'users.xml'), USERS);
  let child = await startServer(config, httpPort);
  const relay = createServer((asked, answer) => void passOn(asked, answer, httpPort));
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    origin: await listening(relay),
    child: () => child,
    kill,
    async start() {
      await kill();
      child = await startServer(config, httpPort);
    },
    async [Symbol.asyncDispose]() {
      closeRelay(relay);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startServer(config: string, port: number): Promise<ChildProcess> {
  const child = spawn(PROGRAM, [`--config-file=${config}`], { stdio: 'ignore' });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`ClickHouse 18.16 has ended with ${child.exitCode}`);
    return await isUp(port);
  }, Boolean);
  return child;
}

const isUp = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ping`).then(
    (answer) => answer.ok,
    () => false,
  );

function closeRelay(relay: Server): void {
  relay.closeAllConnections();
  relay.close();
}

/** Settings that 18.16 does not know. */
const TOO_NEW = ['cancel_http_readonly_queries_on_client_close'];

/** Byte by byte, both ways; a client that goes away is gone for the server, too. */
async function passOn(asked: IncomingMessage, answer: ServerResponse, port: number): Promise<void> {
  const url = new URL(asked.url ?? '/', 'http://127.0.0.1');
  for (const name of TOO_NEW) url.searchParams.delete(name);
  const isFilled = [...url.searchParams.keys()].some((name) => name.startsWith('param_'));
  const body = isFilled ? filled(await textOf(asked), url) : undefined;
  const headers = { ...asked.headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) };
  const about = {
    host: '127.0.0.1',
    port,
    path: `/${url.search}`,
    method: asked.method,
    headers,
    agent: false,
  } as const;
  const sending = request(about, (found) => {
    answer.writeHead(found.statusCode ?? 500, found.headers);
    found.on('error', () => answer.destroy());
    found.on('aborted', () => answer.destroy());
    found.pipe(answer);
  });
  sending.on('error', () => answer.destroy());
  answer.on('close', () => sending.destroy());
  if (body === undefined) asked.pipe(sending);
  else sending.end(body);
}

const textOf = async (asked: IncomingMessage): Promise<string> =>
  Buffer.concat(await Array.fromAsync<Buffer>(asked)).toString('utf8');

/** Bound texts become quoted ones. */
function filled(statement: string, url: URL): string {
  const given = [...url.searchParams].filter(([name]) => name.startsWith('param_'));
  for (const [name] of given) url.searchParams.delete(name);
  const values = new Map(given.map(([name, value]) => [name.slice('param_'.length), value]));
  return statement.replaceAll(/\{(\w+):String\}/g, (_, name: string) => `'${values.get(name)?.replaceAll("'", "''")}'`);
}

interface ServerOptions {
  readonly folder: string;
  readonly httpPort: number;
  readonly tcpPort: number;
  readonly ports: readonly number[];
}

const configOf = ({ folder, httpPort, tcpPort, ports }: ServerOptions): string => `<yandex>
  <logger><level>error</level><log>${folder}/log/all</log><errorlog>${folder}/log/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host><http_port>${httpPort}</http_port><tcp_port>${tcpPort}</tcp_port>
  <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>
  <users_config>users.xml</users_config><default_profile>default</default_profile>
  <default_database>default</default_database><mark_cache_size>5000000</mark_cache_size>
  <remote_servers><${OLD_CLUSTER}>${ports.map(shardOf).join('')}</${OLD_CLUSTER}></remote_servers>
</yandex>`;

const shardOf = (port: number): string =>
  `<shard><replica><host>127.0.0.1</host><port>${port}</port><user>${OLD_ACCESS.user}</user>
    <password>${OLD_ACCESS.password}</password></replica></shard>`;

const USERS = `<yandex>
  <profiles><default><max_memory_usage>1000000000</max_memory_usage></default><reading><readonly>1</readonly></reading></profiles>
  <users>
    <${OLD_ACCESS.user}><password>${OLD_ACCESS.password}</password><networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile><quota>default</quota></${OLD_ACCESS.user}>
    <default><password>none</password><networks><ip>127.0.0.1</ip></networks>
      <profile>reading</profile><quota>default</quota></default>
  </users>
  <quotas><default><interval><duration>3600</duration><queries>0</queries><errors>0</errors><result_rows>0</result_rows>
    <read_rows>0</read_rows><execution_time>0</execution_time></interval></default></quotas>
</yandex>`;
