// The service of a given version as a process, and clients of its public interface. The data folder is given by a relative
// path, so that nothing in it names the machine.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ENVIRONMENT, FLAGS } from '#cli/serve/service-process.ts';
import { type Client, type Connection, connectTo } from '#demo/connection.ts';
import type { Version } from '#test/support/versions.ts';

/** Suites call with this key, see `test/support/service.ts`. */
export const MASTER_KEY = 'vgl_test-master-key-0123456789abcdefghij';

/** A profile of the fixture names this host. */
export const OUTBOUND_HOST = '127.0.0.1';

const FOLDERS = ['--data', 'data', '--keys', 'keys'];

/** An installation in a folder, with or without databases on PostgreSQL and ClickHouse. */
export interface Home {
  readonly version: Version;
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  /** The setting `logs`. */
  readonly logs: string | undefined;
}

export interface OldService {
  readonly url: string;
  readonly connection: Connection;
  readonly master: Client;
  stop(): Promise<void>;
  /** Kills the process without a chance to write anything. */
  kill(): Promise<void>;
}

export async function startOldService(home: Home, flags: readonly string[]): Promise<OldService> {
  const common = [
    '--port',
    '0',
    '--node',
    'vigil',
    '--log-level',
    'warn',
    '--webhook-targets',
    'any',
    '--outbound-hosts',
    OUTBOUND_HOST,
  ];
  const args = [
    ...FLAGS,
    home.version.executable,
    'serve',
    ...FOLDERS,
    ...databaseFlags(home),
    ...logsFlags(home),
    ...common,
    ...flags,
  ];
  const child = spawn(process.execPath, args, {
    cwd: home.folder,
    env: { ...environmentOf(home), VIGIL_MASTER_KEY: MASTER_KEY, ...ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A process that outlives a failed generator would keep its folder.
  const killWithGenerator = () => child.kill('SIGKILL');
  process.once('exit', killWithGenerator);
  const url = await readyUrl(child);
  const connection = connectTo(url);
  const end = async (signal: NodeJS.Signals) => {
    connection[Symbol.dispose]();
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    process.off('exit', killWithGenerator);
  };
  return {
    url,
    connection,
    master: connection.as(MASTER_KEY),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Runs a command of the version on the folder and returns its output. */
export const runOldCommand = (home: Home, ...words: readonly string[]): string =>
  execFileSync(process.execPath, [home.version.executable, ...words, ...FOLDERS, ...databaseFlags(home)], {
    cwd: home.folder,
    env: environmentOf(home),
    encoding: 'utf8',
  });

const databaseFlags = ({ databaseUrl }: Home): readonly string[] =>
  databaseUrl === undefined ? [] : ['--database', databaseUrl];

const logsFlags = ({ logs }: Home): readonly string[] => (logs === undefined ? [] : ['--logs', logs]);

const environmentOf = ({ folder }: Home) => ({ PATH: process.env.PATH ?? '', HOME: folder, LANG: 'C' });

function readyUrl(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
    const [, url] = /ready at (\S+)/.exec(output) ?? [];
    if (url !== undefined) resolve(url);
  });
  child.once('exit', () => reject(new Error(`the service ended before it was ready: ${output}`)));
  return promise;
}
