// Counts of loggers after kill -9: every acknowledged log is counted, none twice, however often the service is killed.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCollector, sendDatagrams } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { client, ended, home } from '#test/support/process-suite.ts';
import { MASTER_KEY } from '#test/support/service.ts';

const LINES = '{"n":1}\n{"n":2}\nno log\n';
const LINE = '{"n":3}\n';

type Client = ReturnType<typeof client>;

async function countsOf(service: Client, logger: string) {
  const { log_count, log_volume, drop_count, drop_volume, last_log } = (
    await service.call('GET', `/api/core/loggers/${logger}`)
  ).json.logger;
  return { log_count, log_volume, drop_count, drop_volume, last_log };
}

it('counts pushes, datagrams and lines of files once, whether they were written before the kill or not', async () => {
  const { serve, folder } = home();
  const files = join(folder, 'logs.txt');
  writeFileSync(files, 'one\ntwo\n');
  const environment = { VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_COLLECT_FOLDERS: folder };
  const started = async () => {
    const process = serve(environment);
    return { process, service: client(await process.ready()) };
  };
  const first = await started();
  const pushed = await createLogger(first.service, { table: 'pushed' });
  const port = await freePort();
  const configs = { port, bind: '127.0.0.1' };
  const datagrams = await createCollector(first.service, { table: 'datagrams', factory: 'syslog-udp', configs });
  const followed = await createCollector(first.service, {
    table: 'followed',
    factory: 'file',
    configs: { path: folder, pattern: 'logs.txt', from: 'start' },
    fields: { interval: '1000' },
  });
  const all = (service: Client) =>
    Promise.all([pushed, datagrams, followed].map((logger) => countsOf(service, logger)));
  const logs = async (service: Client) => (await all(service)).map(({ log_count }) => log_count);

  await push(first.service, pushed, { body: LINES });
  await sendDatagrams(port, ['hello', 'world']);
  await expect.poll(() => logs(first.service)).toEqual([2, 2, 2]);
  const before = await all(first.service);
  expect(before).toMatchObject([{ drop_count: 1 }, { log_volume: 10 }, { log_volume: 8 }]);
  await ended(first.process, 'SIGKILL');

  const second = await started();
  expect(await all(second.service)).toEqual(before);
  await push(second.service, pushed, { body: LINE });
  expect(await logs(second.service)).toEqual([3, 2, 2]);
  await ended(second.process, 'SIGKILL');

  const third = await started();
  expect(await logs(third.service)).toEqual([3, 2, 2]);
  // Writes them to the metadata store.
  expect(await ended(third.process, 'SIGTERM')).toBe(0);

  const last = await started();
  expect(await logs(last.service)).toEqual([3, 2, 2]);
  expect(await ended(last.process, 'SIGTERM')).toBe(0);
});
