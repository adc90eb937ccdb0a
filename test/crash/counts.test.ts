// Kills the service at random moments while logs are pushed. Afterwards every acknowledged log is counted by its logger, none twice,
// and none that is not stored.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { afterReady, report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('counts');
const PUSHERS = 4;
const LINE = '{"n":3}\n';

type Caller = Pick<Service, 'call'>;

it(`counts every acknowledged log over ${ROUNDS} kills`, async () => {
  await countsAll({ VIGIL_MASTER_KEY: MASTER_KEY });
});

it.skipIf(inject('clickhouse').reason)(
  `counts every acknowledged log of a table on ClickHouse over ${ROUNDS} kills`,
  async () => {
    await using server = await startClickhouse();
    const logs = logsUrl([server], await server.createDatabase());
    await countsAll({ VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_LOGS: logs });
  },
);

async function countsAll(environment: Readonly<Record<string, string>>): Promise<void> {
  using home = makeHome();
  const counted: Counted = { logger: undefined, acknowledged: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, ready } = home.serve(environment);
    const service = callsTo(await ready());
    counted.logger ??= await createLogger(service, { table: 'web' });
    const found = await check(service, counted);
    const work = Array.from({ length: PUSHERS }, () => pushing(service, counted).catch(() => undefined));
    const moment = 500 + Math.random() * 2000;
    await sleep(moment);
    child.kill('SIGKILL');
    await once(child, 'close');
    await Promise.all(work);
    report({ suite: 'counts', round, kill: afterReady(moment), acknowledged: counted.acknowledged, found });
  }
  const { child, ready, exited, output } = home.serve(environment);
  expect(await check(callsTo(await ready()), counted)).toBeGreaterThan(0);
  child.kill('SIGTERM');
  expect(await exited(), output().stderr).toBe(0);
}

interface Counted {
  logger: string | undefined;
  acknowledged: number;
}

async function pushing(service: Caller, counted: Counted): Promise<void> {
  while ((await push(service, counted.logger ?? '', { body: LINE })).status === 200) counted.acknowledged += 1;
}

async function check(service: Caller, { logger, acknowledged }: Counted): Promise<number> {
  const { log_count, log_volume } = (await service.call('GET', `/api/core/loggers/${logger}`)).json.logger;
  const [stored] = await rowsOf(service, 'table web | stats count');
  expect(log_count, 'acknowledged and not counted').toBeGreaterThanOrEqual(acknowledged);
  expect(log_count, 'counted and not stored').toBeLessThanOrEqual(stored?.count ?? 0);
  expect(log_volume).toBe(log_count * (LINE.length - 1));
  return log_count;
}

const callsTo = (url: string): Caller => ({ call: (method, path, options) => send(`${url}${path}`, method, options) });
