// SIGHUP: an orderly stop where the service runs at a terminal, and nothing otherwise.

import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { callerOf, makeHome } from '#test/support/process.ts';
import { hasTerminals, serveAtTerminal } from '#test/support/terminal-process.ts';

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

describe.skipIf(!hasTerminals)('SIGHUP at a terminal', () => {
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
