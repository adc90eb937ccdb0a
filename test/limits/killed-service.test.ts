// A service that is killed while queries have put rows and more on the disk leaves nothing that the next one does not remove.

import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeHome } from '#test/support/process.ts';
import { ENDLESS_JSON, openCursor, reached } from '#test/support/queries.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';

const MIB = 1024 * 1024;
/** Cannot be held in memory for long. */
const SPILLING = 'json "{a:1}" | repeat count=100000000 | eval b = concat(guid(), guid(), guid()) | sort b';

it('nothing of a query is left after a kill, on the disk or in its books', async () => {
  const home = makeHome();
  onTestFinished(() => home[Symbol.dispose]());
  const data = join(home.folder, 'data');
  const settings = { VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_QUERY_MEMORY: String(128 * MIB) };
  const running = home.serve(settings);
  const url = await running.ready();
  const service: Pick<Service, 'call'> = { call: (method, path, how) => send(`${url}${path}`, method, how) };
  const rows = await openCursor(service, ENDLESS_JSON);
  await openCursor(service, SPILLING);
  const spilled = () => globSync('spill/**/*.tmp', { cwd: data });
  await expect.poll(spilled).not.toEqual([]);
  await reached(service, rows, (status) => status.rows > 0);
  running.child.kill('SIGKILL');
  await running.exited();
  expect(spilled().length).toBeGreaterThan(0);
  expect(readdirSync(join(data, 'results'))).toEqual([]);

  const again = home.serve(settings);
  const url2 = await again.ready();
  expect(globSync('spill/**/*', { cwd: data })).toEqual([]);
  const { text } = await send(`${url2}/metrics`, 'GET');
  expect(text).toContain('vigil_query_result_bytes 0\n');
  expect(text).toContain('vigil_query_disk_bytes 0\n');
});
