// The executable itself, as a process of its own.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ENVIRONMENT, FLAGS } from '#cli/serve/service-process.ts';
import { keepOutput } from './log-tails.ts';
import { MASTER_KEY, type Reply } from './service.ts';

const EXECUTABLE = join(import.meta.dirname, '../../bin/vigil.js');

/** Data and keys of one installation, for processes one after another. */
export interface Home extends Disposable {
  readonly folder: string;
  /** In memory: no other process writes there. */
  readonly memoryFolder: string;
  serve(environment?: Readonly<Record<string, string>>, how?: ServeOptions): VigilProcess;
}

export interface ServeOptions {
  /** A module that is loaded before the service, and may talk with the test by messages. */
  readonly probe?: string;
  /** In place of a data and a keys folder of the home; paths are relative to its folder. */
  readonly flags?: readonly string[];
  /** Known before it is ready; by default a free one. */
  readonly port?: string;
  /** A program with arguments that becomes the process, such as one that changes its network. */
  readonly within?: readonly string[];
  /** Of another version, in place of this one. */
  readonly executable?: string;
}

export interface VigilProcess {
  readonly child: ChildProcess;
  /** What it has said so far on standard output and standard error. */
  output(): { stdout: string; stderr: string };
  /** The URL it prints when it is ready; rejects when it ends before that. */
  ready(): Promise<string>;
  said(text: string): Promise<void>;
  exited(): Promise<number | null>;
}

export function makeHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-process-'));
  const memoryFolder = mkdtempSync('/dev/shm/vigil-process-');
  const running: ChildProcess[] = [];
  return {
    folder,
    memoryFolder,
    serve(environment = { VIGIL_MASTER_KEY: MASTER_KEY }, how = {}) {
      const started = start(folder, { VIGIL_MEMORY_FOLDER: memoryFolder, ...environment }, how);
      running.push(started.child);
      return started;
    },
    [Symbol.dispose]() {
      for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
      for (const one of [folder, memoryFolder]) rmSync(one, { recursive: true, force: true });
    },
  };
}

function start(folder: string, environment: Readonly<Record<string, string>>, how: ServeOptions): VigilProcess {
  const { probe, port = '0', executable = EXECUTABLE } = how;
  const { flags: given = ['--data', join(folder, 'data'), '--keys', join(folder, 'keys')] } = how;
  const flags = ['--port', port, ...given];
  const options = {
    cwd: folder,
    env: { ...ENVIRONMENT, PATH: process.env.PATH ?? '', HOME: folder, LANG: 'C', ...environment },
  };
  const command = [...(how.within ?? []), process.execPath, ...FLAGS, executable, 'serve', ...flags];
  const [program = '', ...args] = command;
  const child = probe
    ? fork(executable, ['serve', ...flags], { ...options, execArgv: [...FLAGS, '--import', probe], silent: true })
    : spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  const stdout = outputOf(child.stdout);
  const stderr = outputOf(child.stderr);
  stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const exit = once(child, 'close').then(() => child.exitCode);
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  for (const stream of ['stdout', 'stderr'] as const)
    keepOutput(`${stream} of process ${child.pid}`, () => output[stream], isOver);

  async function said(text: string): Promise<void> {
    while (!output.stdout.includes(text)) {
      const ended = await Promise.race([exit.then(() => true), once(stdout, 'data').then(() => false)]);
      if (ended && !output.stdout.includes(text)) throw new Error(`ended without "${text}": ${output.stderr}`);
    }
  }

  return {
    child,
    output: () => output,
    said,
    async ready() {
      await said('ready at');
      return /ready at (\S+)/.exec(output.stdout)?.[1] ?? '';
    },
    exited: () => exit,
  };
}

function outputOf(stream: Readable | null): Readable {
  if (!stream) throw new Error('its output is read');
  return stream;
}

/** The calls of `test/support/service.ts`, to a process. */
export function callerOf(url: string) {
  return {
    async call(method: string, path: string, options: { form?: Record<string, string>; key?: string } = {}) {
      const { form, key = MASTER_KEY } = options;
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(url + path, { method, headers, ...(form ? { body: new URLSearchParams(form) } : {}) });
      const text = await answer.text();
      const json = answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : undefined;
      return { status: answer.status, headers: answer.headers, text, json } satisfies Reply;
    },
  };
}
