// The executable at a terminal of its own.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ENVIRONMENT, FLAGS } from '#cli/serve/service-process.ts';
import { MASTER_KEY } from './service.ts';

const EXECUTABLE = join(import.meta.dirname, '../../bin/vigil.js');

/** `script` of util-linux, which gives a command a terminal of its own. */
export const hasTerminals =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;
if (!hasTerminals)
  console.error('*** A SERVICE AT A TERMINAL IS NOT TESTED: script of util-linux is not installed ***');

export interface AtTerminal {
  readonly script: ChildProcess;
  readonly pid: number;
  readonly folder: string;
  output(): string;
}

export async function serveAtTerminal(logLevel = 'error'): Promise<AtTerminal> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-terminal-'));
  const flags = [
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
    '--keys',
    join(folder, 'keys'),
    '--log-level',
    logLevel,
  ];
  const command = [process.execPath, ...FLAGS, EXECUTABLE, 'serve', ...flags].map((word) => `'${word}'`).join(' ');
  const script = spawn('script', ['-qec', `echo "pid $$"; exec ${command}`, '/dev/null'], {
    cwd: folder,
    env: {
      ...ENVIRONMENT,
      PATH: process.env.PATH,
      HOME: folder,
      LANG: 'C',
      VIGIL_MASTER_KEY: MASTER_KEY,
      SHELL: '/bin/sh',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  script.stdout.on('data', (chunk) => {
    output += chunk;
  });
  onTestFinished(() => {
    script.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => output).toContain('ready at');
  return { script, pid: Number(/pid (\d+)/.exec(output)?.[1]), folder, output: () => output };
}
