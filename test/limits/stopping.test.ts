// A stop of the service has an end, also where DuckDB is at something that it does not break off.

import { expect, it, onTestFinished } from 'vitest';
import { makeHome } from '#test/support/process.ts';
import { isRunning, openCursor, reached } from '#test/support/queries.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';

/** Takes DuckDB minutes to prepare, and nothing interrupts it meanwhile. */
const UNSTOPPABLE = `table web${' | join type=left n [ table web | fields n ]'.repeat(42)}`;

it('A service stops in order while a statement goes on', async () => {
  const home = makeHome();
  onTestFinished(() => home[Symbol.dispose]());
  const running = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
  const url = await running.ready();
  const service: Pick<Service, 'call'> = { call: (method, path, how) => send(`${url}${path}`, method, how) };
  await service.call('POST', '/api/core/tables', { form: { table: 'web' } });
  const id = await openCursor(service, UNSTOPPABLE);
  await reached(service, id, isRunning);
  running.child.kill('SIGTERM');
  expect(await running.exited()).toBe(0);
});
