// A real MariaDB server for the tests, of Debian's package mariadb-server-core, which is installed where it is missing and this
// may be done. It refuses to run as root, so it runs as an unprivileged user there.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { Certificate } from './certificates.ts';
import { installPackages } from './debian-package.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** The number of the user `nobody` on every Linux. */
const NOBODY = 65534;
const SERVER = '/usr/sbin/mariadbd';
/** Tables of the server itself; the script of the package that makes them needs further packages. */
const SYSTEM_TABLES = ['mysql_system_tables.sql', 'mysql_performance_tables.sql', 'mysql_system_tables_data.sql'];
const SCRIPTS = '/usr/share/mysql';
const PACKAGE = 'mariadb-server-core';
/** Nothing must survive the machine; rings of the kernel are few, and several servers run at once. */
const UNFLUSHED = ['--innodb-flush-method=nosync', '--innodb-use-native-aio=0'];
const ATTEMPTS = 3;

export interface MariadbServer {
  readonly port: number;
  /** Of the account `root`, which may do everything. */
  readonly password: string;
  /** Runs statements as root, in a database of that name. */
  run(database: string, ...statements: readonly string[]): Promise<unknown[]>;
  stop(): Promise<void>;
}

/** Why no server can be had, after an attempt to install it; empty where one can. */
export function mariadbMissing(): string {
  if (!existsSync(SERVER)) installPackages(PACKAGE);
  return existsSync(SERVER) ? '' : `no MariaDB server: the Debian package ${PACKAGE} is not installed`;
}

/** With a certificate it speaks TLS too. */
export async function startMariadb(certificate?: Certificate): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-mariadb-'));
  const data = join(folder, 'data');
  // Its own: a server that starts removes the temporary tables of the others from a folder that they share.
  const scratch = join(folder, 'scratch');
  for (const path of [data, scratch]) mkdirSync(path);
  const user: ServerOptions['user'] = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  for (const path of [folder, data, scratch]) if ('uid' in user) chownSync(path, NOBODY, NOBODY);
  const scripts = SYSTEM_TABLES.map((name) => readFileSync(join(SCRIPTS, name), 'utf8'));
  const input = ['create database mysql;', 'use mysql;', 'set @auth_root_socket = null;', ...scripts].join('\n');
  const made = spawnSync(
    SERVER,
    ['--no-defaults', '--bootstrap', `--datadir=${data}`, `--tmpdir=${scratch}`, ...UNFLUSHED],
    {
      ...user,
      cwd: folder,
      input,
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) throw new Error(`the tables of MariaDB could not be made: ${made.stderr}`);
  const options = certificate ? tlsOptions(folder, certificate, user.uid) : [];
  const { port, child } = await startServer({ folder, data, scratch, options, user });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const connect = () => createConnection({ host: '127.0.0.1', port, user: 'root' });
  return {
    port,
    password: '',
    async run(database, ...statements) {
      const connection = await connect();
      try {
        await connection.query(`create database if not exists \`${database}\` character set utf8mb4`);
        await connection.query(`use \`${database}\``);
        const results: unknown[] = [];
        for (const statement of statements) results.push((await connection.query(statement))[0]);
        return results;
      } finally {
        await connection.end();
      }
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function tlsOptions(folder: string, { key, cert }: Certificate, owner?: number): string[] {
  return Object.entries({ key, cert }).map(([name, text]) => {
    const path = join(folder, `${name}.pem`);
    writeFileSync(path, text);
    if (owner !== undefined) chownSync(path, owner, owner);
    return `--ssl-${name}=${path}`;
  });
}

interface ServerOptions {
  readonly folder: string;
  readonly data: string;
  readonly scratch: string;
  readonly options: readonly string[];
  readonly user: { readonly uid?: number; readonly gid?: number };
}

/** Again where the server ends at once: another process may have taken its port. */
async function startServer(made: ServerOptions): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const { folder, data, scratch, options, user } = made;
  const log = join(folder, 'server.log');
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const errors = openSync(log, 'a');
    const child = spawn(
      SERVER,
      [
        '--no-defaults',
        `--datadir=${data}`,
        `--tmpdir=${scratch}`,
        `--socket=${join(folder, 'server.sock')}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        ...UNFLUSHED,
        ...options,
      ],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', errors] },
    );
    closeSync(errors);
    if (await isReady(child, port)) return { port, child };
    child.kill('SIGKILL');
  }
  throw new Error(`MariaDB does not start: ${readFileSync(log, 'utf8').slice(-2000)}`);
}

/** Waits until the server accepts connections; false if it has ended. */
async function isReady(child: ChildProcess, port: number): Promise<boolean> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const state = async () => {
    if (hasEnded()) return 'ended';
    const connect = createConnection({ host: '127.0.0.1', port, user: 'root' });
    return await connect.then(
      (connection) => connection.end().then(() => 'ready'),
      (error: unknown) => String(error),
    );
  };
  return (await until(state, (now) => now === 'ready' || now === 'ended')) === 'ready';
}
