// SIGHUP: an orderly stop where the service runs at a terminal, and nothing otherwise.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ENVIRONMENT, FLAGS } from '#cli/serve/service-process.ts';
import { callerOf, makeHome } from '#test/support/process.ts';
import { MASTER_KEY } from '#test/support/service.ts';

const EXECUTABLE = join(import.meta.dirname, '../../bin/vigil.js');

it('SIGHUP is ignored by a service that runs without a terminal', async () => {
  using home = makeHome();
  const running = home.serve();
  const { call } = callerOf(await running.ready());
  running.child.kill('SIGHUP');
  // The signal is delivered before the next one, and an orderly stop ends with 0.
  expect((await call('POST', '/api/core/companies', { form: { name: 'still here' } })).status).toBe(200);
  expect(running.child.exitCode).toBeNull();
  running.child.kill('SIGTERM');
  expect(await running.exited()).toBe(0);
});

/** `script` of util-linux, which gives a command a terminal of its own. */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;
if (!hasScript) console.error('*** SIGHUP AT A TERMINAL IS NOT TESTED: script of util-linux is not installed ***');

interface AtTerminal {
  readonly script: ChildProcess;
  readonly pid: number;
  readonly folder: string;
  output(): string;
}

async function serveAtTerminal(): Promise<AtTerminal> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-terminal-'));
  const flags = ['--port', '0', '--data', join(folder, 'data'), '--keys', join(folder, 'keys'), '--log-level', 'error'];
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

/** True when a checkpoint was signed for the last entry, as at an orderly stop. */
function hasStoppedInOrder(folder: string): boolean {
  const database = new DatabaseSync(join(folder, 'data/metadata.db'), { readOnly: true });
  const sql = '(select max(id) from audit_entries) = (select max(id) from audit_checkpoints)';
  const row = database.prepare(`select ${sql} as is_signed`).get();
  database.close();
  return row?.is_signed === 1;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasScript)('SIGHUP at a terminal', () => {
  it('stops the service in order', async () => {
    const { script, pid, folder, output } = await serveAtTerminal();
    const ended = once(script, 'close');
    process.kill(pid, 'SIGHUP');
    expect(await ended).toEqual([0, null]);
    expect(output()).toContain('Stopping.');
    expect(hasStoppedInOrder(folder)).toBe(true);
  });

  it('stops it in order when the terminal itself is closed', async () => {
    const { script, pid, folder } = await serveAtTerminal();
    script.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(hasStoppedInOrder(folder)).toBe(true);
  });
});
