// Servers under measurement run in processes of their own, so that what drives them does not share their thread.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ENVIRONMENT, FLAGS } from '#cli/serve/service-process.ts';
import { endAtExit } from './cleanup.ts';
import { readyAnswer } from './ready.ts';

const BENCH = join(import.meta.dirname, '..');
const VIGIL = join(BENCH, '..', 'bin', 'vigil.js');
const TICKS_PER_SECOND = 100;

export interface ServerProcess extends AsyncDisposable {
  readonly port: number;
  /** Seconds of processor time used so far by all its threads; undefined where the system does not tell. */
  cpuSeconds(): number | undefined;
  /** What it holds in memory right now; undefined where the system does not tell. */
  memory(): Memory | undefined;
  /** Resolves with the first 200, to the milliseconds since the process was started. */
  ready(path: string): Promise<number>;
  stop(): Promise<void>;
  /** Like a power loss. */
  kill(): Promise<void>;
}

export interface Memory {
  readonly residentBytes: number;
  /** Of it, what no file backs: heaps, buffers, tables. */
  readonly anonymousBytes: number;
}

export interface Launch {
  /** What runs the script, in place of Node. */
  readonly program?: string;
  readonly script: string;
  /** Of Node. */
  readonly flags?: readonly string[];
  args(port: number): readonly string[];
  /** Standard error goes here; nowhere without it. */
  readonly logFile?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The key of the account `master` in every service that a bench starts. */
export const MASTER_KEY = 'a-key-for-the-bench-and-nothing-else';

export const benchServer = (file: string): string => join(BENCH, 'servers', file);

export interface Installation {
  /** `data` and `keys` are below it. */
  readonly folder: string;
  readonly database?: string;
  readonly logFile?: string;
  /** Settings by name, in place of their initial values. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The days of the logs are long past: they would be made dense while they are measured. */
const SETTINGS = { 'dense-after': '0' };

/** The service as `npm start` starts it. */
export const vigil = ({ folder, database, logFile, settings = {} }: Installation): Launch => ({
  script: VIGIL,
  flags: FLAGS,
  args: (port) => [
    ...['serve', '--port', String(port), '--data', join(folder, 'data'), '--keys', join(folder, 'keys')],
    ...(database === undefined ? [] : ['--database', database]),
    ...Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [`--${name}`, value]),
  ],
  environment: { ...ENVIRONMENT, VIGIL_MASTER_KEY: MASTER_KEY },
  ...(logFile === undefined ? {} : { logFile }),
});

export async function launch({
  program = process.execPath,
  script,
  flags = [],
  args,
  logFile,
  environment = {},
}: Launch): Promise<ServerProcess> {
  const port = await freePort();
  const log = logFile === undefined ? undefined : openSync(logFile, 'a');
  const begun = performance.now();
  const child = spawn(program, [...flags, script, ...args(port)], {
    stdio: ['ignore', 'ignore', log ?? 'ignore'],
    env: { ...process.env, ...environment },
  });
  if (log !== undefined) closeSync(log);
  const kill = endAtExit(() => void child.kill('SIGKILL'));
  const stop = async () => {
    await end(child);
    kill[Symbol.dispose]();
  };
  const killed = async () => {
    const exited = once(child, 'exit');
    kill[Symbol.dispose]();
    await exited;
  };
  return {
    port,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    memory: () => memoryOf(child.pid),
    async ready(path) {
      await readyAnswer(port, path, () => child.exitCode === null);
      return performance.now() - begun;
    },
    stop,
    kill: killed,
    [Symbol.asyncDispose]: stop,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const isDone = await Promise.race([exited.then(() => true), pause(15_000, false, { ref: false })]);
  if (!isDone) child.kill('SIGKILL');
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function cpuSecondsOf(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name, in parentheses, may hold blanks; user and system time are the 12th and 13th field after it.
  const fields = readFileSync(file, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function memoryOf(pid: number | undefined): Memory | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const status = readFileSync(file, 'latin1');
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
  return { residentBytes: bytes('VmRSS'), anonymousBytes: bytes('RssAnon') };
}
