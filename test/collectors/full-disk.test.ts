// What arrives while the disk is full is kept once there is room.

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loggerRecord, valuesOf } from '#test/support/collected-logs.ts';
import { createCollector, sendDatagrams } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { makeHome } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

it('Messages and lines wait for room on the disk', async () => {
  using home = makeHome();
  const logs = join(home.folder, 'logs');
  const file = join(logs, 'app.log');
  mkdirSync(logs);
  writeFileSync(file, '');
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_COLLECT_FOLDERS: logs });
  const url = await started.ready();
  const service: Pick<Service, 'call'> = { call: (method, path, options) => send(`${url}${path}`, method, options) };
  const port = await freePort();
  const udp = await createCollector(service, {
    table: 'udp',
    factory: 'syslog-udp',
    configs: { port, bind: '127.0.0.1' },
  });
  const fields = { interval: '1000' };
  const followed = await createCollector(service, {
    table: 'followed',
    factory: 'file',
    configs: { path: file },
    fields,
  });
  const limit = (bytes: string) =>
    void execFileSync('prlimit', ['--pid', String(started.child.pid), `--fsize=${bytes}:unlimited`]);
  limit('10');
  const texts = Array.from({ length: 50 }, (_, index) => `message ${index}`);
  await sendDatagrams(port, texts);
  appendFileSync(file, `${texts.join('\n')}\n`);
  for (const guid of [udp, followed]) {
    const record = await until(
      () => loggerRecord(service, guid),
      ({ failure }) => failure !== null,
    );
    expect(record).toMatchObject({
      enabled: true,
      status: 'stopped',
      failure: expect.stringContaining('no space left'),
    });
  }
  limit('unlimited');
  expect(await valuesOf(service, 'udp', texts.length)).toEqual(texts);
  expect(await valuesOf(service, 'followed', texts.length)).toEqual(texts);
  for (const guid of [udp, followed]) {
    const record = await until(
      () => loggerRecord(service, guid),
      ({ status, log_count }) => status === 'running' && log_count === texts.length,
    );
    expect(record).toMatchObject({ status: 'running', failure: null, log_count: texts.length, drop_count: 0 });
  }
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
});
