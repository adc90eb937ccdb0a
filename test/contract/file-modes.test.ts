// What a service makes is for its own user alone, whatever the mode of the folder that it was given.

import { chmodSync, globSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { makeHome, type VigilProcess } from '#test/support/process.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';

function home() {
  const made = makeHome();
  onTestFinished(() => made[Symbol.dispose]());
  return made;
}

const service = (url: string) => ({
  call: (method: string, path: string, options?: Parameters<typeof send>[2]) => send(`${url}${path}`, method, options),
});

/** Paths below the folder, and the folder, whose mode is not 0600 or 0700. */
function wider(folder: string): string[] {
  const paths = ['', ...globSync('**/*', { cwd: folder }), ...globSync('**/.*', { cwd: folder })];
  return paths
    .map((path) => ({ path, stats: lstatSync(join(folder, path), { throwIfNoEntry: false }) }))
    .filter(({ stats }) => stats && (stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600))
    .map(({ path, stats }) => `${path} ${((stats?.mode ?? 0) & 0o777).toString(8)}`);
}

async function stopped(running: VigilProcess): Promise<void> {
  running.child.kill('SIGTERM');
  expect(await running.exited()).toBe(0);
}

it('Files are 0600 and folders 0700 in a data folder that was open to all', async () => {
  const installation = home();
  const data = join(installation.folder, 'data');
  mkdirSync(data);
  chmodSync(data, 0o777);
  const running = installation.serve({ VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_SEGMENT_ROWS: '2' });
  const api = service(await running.ready());
  const profile = await created(api, '/api/core/crypto-profiles', { name: 'p' });
  const tables = { open: {}, sealed: { crypto_profile_guid: profile, encryption: 'true' } };
  for (const [table, storage] of Object.entries(tables)) {
    const logger = await createLogger(api, { table, storage });
    for (const n of [1, 2, 3]) await push(api, logger, { body: `{"n":${n}}` });
  }
  await rowsOf(api, 'table open | outputcsv overwrite=t open.csv n');
  await api.call('POST', '/api/core/cursors', { form: { q: 'table open' } });
  await expect.poll(() => globSync('**/*.parquet*', { cwd: data }).length).toBeGreaterThanOrEqual(2);
  expect(globSync('exports/open.csv', { cwd: data })).toHaveLength(1);
  expect(wider(data)).toEqual([]);
  expect(wider(join(installation.folder, 'keys'))).toEqual([]);
  await stopped(running);
  expect(wider(data)).toEqual([]);
});

it('What is wider in the data folder is narrowed at the start, and the log says so', async () => {
  const installation = home();
  const data = join(installation.folder, 'data');
  const first = installation.serve();
  const api = service(await first.ready());
  const logger = await createLogger(api, { table: 'kept' });
  await push(api, logger, { body: '{"n":1}' });
  await stopped(first);
  const paths = globSync('**/*', { cwd: data }).map((path) => join(data, path));
  for (const path of [data, ...paths]) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
  const files = paths.filter((path) => !lstatSync(path).isDirectory()).length;
  // The database, the lock and a segment at least.
  expect(files).toBeGreaterThanOrEqual(3);
  const folders = paths.length - files + 1;
  const second = installation.serve();
  const again = service(await second.ready());
  expect(wider(data)).toEqual([]);
  const line = `"files":${files},"folders":${folders},"msg":"modes in the data folder were too wide and are now owner-only"`;
  await expect.poll(() => second.output().stderr).toContain(line);
  expect(await rowsOf(again, 'table kept | stats count')).toEqual([{ count: 1 }]);
});

it('What was in a folder before it became the data folder keeps its mode', async () => {
  const installation = home();
  const file = join(installation.folder, 'data/of-somebody-else');
  mkdirSync(join(installation.folder, 'data'));
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  await installation.serve().ready();
  expect(lstatSync(file).mode & 0o777).toBe(0o644);
});

it('A keys folder that others can read keeps the service from starting; its own group is a warning', async () => {
  const installation = home();
  const keys = join(installation.folder, 'keys');
  mkdirSync(keys, { mode: 0o700 });
  chmodSync(keys, 0o755);
  const refused = installation.serve();
  expect(await refused.exited()).toBe(1);
  expect(refused.output().stderr).toBe(`vigil: keys folder is open to others: chmod -R o= ${keys}\n`);
  chmodSync(keys, 0o750);
  const warned = installation.serve();
  await warned.ready();
  const warning = `"msg":"the group of this process can read the keys folder: chmod -R g= ${keys}"`;
  await expect.poll(() => warned.output().stderr).toContain(warning);
});
