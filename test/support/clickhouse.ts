// A ClickHouse server for the tests: the modern engine as a library behind a small HTTP front, killed and started like a server,
// or the server that VIGIL_TEST_CLICKHOUSE names, which is neither killed nor started here.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { pythonEnvironment } from './python-environment.ts';

const FOLDER = join(import.meta.dirname, 'clickhouse');
const OWN = { user: 'vigil', password: 'correct horse' } as const;

/** The value of the setting `logs` for a database of servers that are ways to one shard, or into a cluster. */
export function logsUrl(servers: readonly ClickhouseServer[], database: string, options = ''): string {
  const [{ user, password, origin } = { user: '', password: '', origin: '' }] = servers;
  const hosts = servers.map((server) => new URL(server.origin).host).join(',');
  const tls = origin.startsWith('https:') ? 'on' : 'off';
  return `clickhouse://${user}:${encodeURIComponent(password)}@${hosts}/${database}?tls=${tls}${options}`;
}

/** Where the Python of the fixture is, or why there is no server. */
export interface ClickhouseProgram {
  readonly python: string;
  readonly reason: string;
}

export async function clickhouseProgram(): Promise<ClickhouseProgram> {
  if (process.env.VIGIL_TEST_CLICKHOUSE) return { python: '', reason: '' };
  const found = await pythonEnvironment('clickhouse', join(FOLDER, 'requirements.txt'));
  return 'reason' in found ? { python: '', reason: found.reason } : { python: join(found.bin, 'python'), reason: '' };
}

export interface ClickhouseServer extends AsyncDisposable {
  /** Of its HTTP interface, without user and password. */
  readonly origin: string;
  readonly user: string;
  readonly password: string;
  /** Whether `kill`, `hang` and `start` are possible. */
  readonly isOwn: boolean;
  /** Like a power loss: nothing is flushed. */
  kill(): Promise<void>;
  /** Connections are taken and nothing is answered, until `resume`. */
  hang(): void;
  resume(): void;
  /** On the same port and the same data. */
  start(): Promise<void>;
  /** Gives the rows as lists of texts. */
  ask(statement: string): Promise<string[][]>;
  /** Lists the cluster `main`: hosts with the numbers of their shards. */
  setCluster(hosts: readonly (readonly [shard: number, host: string])[]): void;
  /** A new database, gone with the server. */
  createDatabase(): Promise<string>;
}

export interface ClickhouseOptions {
  /** An address of this machine. */
  readonly host?: string;
  /** By default a free one. */
  readonly port?: number;
  /** The Python of the fixture and the folder of its data; by default those of the suite. */
  readonly home?: { readonly python: string; readonly folder: string };
}

export async function startClickhouse(options: ClickhouseOptions = {}): Promise<ClickhouseServer> {
  const { host = '127.0.0.1' } = options;
  const given = process.env.VIGIL_TEST_CLICKHOUSE;
  if (given) return givenServer(new URL(given));
  const { python, folder } = options.home ?? {
    python: inject('clickhouse').python,
    folder: join(inject('folder'), `clickhouse-${newGuid()}`),
  };
  mkdirSync(folder, { recursive: true });
  let [child, port] = await startFront({ python, folder, host, port: options.port ?? 0 });
  const requests = requestsTo(() => ({ origin: `http://${host}:${port}`, ...OWN }));
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    ...OWN,
    ...requests,
    origin: `http://${host}:${port}`,
    isOwn: true,
    kill,
    setCluster: (hosts) => writeFileSync(join(folder, 'cluster'), hosts.map((one) => one.join(' ')).join('\n')),
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async start() {
      await kill();
      [child, port] = await startFront({ python, folder, host, port });
    },
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Front {
  readonly python: string;
  readonly folder: string;
  readonly host: string;
  readonly port: number;
}

async function startFront({ python, folder, host, port }: Front): Promise<[ChildProcess, number]> {
  const script = join(FOLDER, 'front.py');
  // Its end of input tells the front that the process of the tests is gone.
  const child = spawn(python, [script, folder, String(port), OWN.user, OWN.password, host], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const first = once(lines, 'line');
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the front ended with ${code}`)));
  ended.catch(() => undefined);
  const [told] = await Promise.race([first, ended]);
  return [child, Number(told)];
}

interface Access {
  readonly origin: string;
  readonly user: string;
  readonly password: string;
}

function givenServer(url: URL): ClickhouseServer {
  const access = {
    origin: url.origin,
    user: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
  };
  const requests = requestsTo(() => access);
  const refuse = () => {
    throw new Error('the server of VIGIL_TEST_CLICKHOUSE is not ours to end');
  };
  return {
    ...access,
    ...requests,
    isOwn: false,
    setCluster: refuse,
    kill: refuse,
    hang: refuse,
    resume: refuse,
    start: refuse,
    async [Symbol.asyncDispose]() {
      for (const name of requests.databases) await requests.ask(`drop database if exists ${name} sync`);
    },
  };
}

function requestsTo(access: () => Access) {
  const databases: string[] = [];
  const ask = async (statement: string) => {
    const { origin, user, password } = access();
    const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password };
    const answer = await fetch(origin, { method: 'POST', headers, body: statement });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'));
  };
  const createDatabase = async () => {
    const name = `vigil_${newGuid().replaceAll('-', '')}`;
    await ask(`create database ${name}`);
    databases.push(name);
    return name;
  };
  return { ask, createDatabase, databases };
}
