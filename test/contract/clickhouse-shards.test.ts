// Shards that are added to the cluster of a log store later: while the service runs, and while it does not. What was counted before is
// counted throughout, and a shard that is gone is an error that names it.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { CapturedLog } from '#test/support/captured-log.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { startService } from '#test/support/service.ts';
import { refused } from '#test/support/suites.ts';
import { upload } from '#test/support/uploads.ts';

const { reason } = inject('clickhouse');
// The servers are killed here.
const skip = reason || process.env.VIGIL_TEST_CLICKHOUSE;
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
const TABLES = '/api/core/tables';
const DAY = 86_400_000;

describe.skipIf(skip)('Shards of a log store that are added later', () => {
  let first: ClickhouseServer;
  const others: ClickhouseServer[] = [];
  beforeAll(async () => {
    first = await startClickhouse();
    const port = Number(new URL(first.origin).port);
    for (const host of HOSTS.slice(1)) others.push(await startClickhouse({ host, port }));
  });
  afterAll(async () => {
    for (const server of [first, ...others]) await server?.[Symbol.asyncDispose]();
  });

  const cluster = (...hosts: readonly string[]) => first.setCluster(hosts.map((host, at) => [at + 1, host]));
  const rowsOn = async (server: ClickhouseServer, database: string) => {
    const sum = `select sum(rows) from system.parts where active and database = '${database}' and table like 't_%'`;
    return Number((await server.ask(sum)).flat()[0]);
  };

  it('take their part of what is written from then on, and every query reads them', async () => {
    const [second, third] = others as [ClickhouseServer, ClickhouseServer];
    const database = await first.createDatabase();
    for (const server of others) await server.ask(`create database ${database}`);
    cluster(HOSTS[0]);
    const logs = logsUrl([first], database, '&cluster=main');
    await using service = await startService({ alone: 'node', flags: { logs, 'maintenance-period': '1' } });
    const logger = await createLogger(service, { table: 'web' });
    await created(service, TABLES, { table: 'unused' });
    let sent = 0;
    const send = async (more: object = {}) => {
      const answer = await push(service, logger, { body: JSON.stringify({ n: sent, ...more }) });
      expect(answer.json).toMatchObject({ accepted: 1 });
      sent += 1;
    };
    const counted = async () => (await rowsOf(service, 'table web | stats count'))[0];
    // Two days: hidden until both are there, with a name that is no plain word.
    const old = JSON.stringify({ n: -1, "it's \\ 이름": 1, _time: Date.now() - 3 * DAY });
    expect((await upload(service, `${old}\n`, { metadata: { table: 'web', format: 'ndjson' } })).status).toBe(200);
    sent += 1;
    for (let n = 0; n < 3; n += 1) await send();
    const before = await rowsOn(first, database);
    expect(before).toBe(4);

    cluster(...HOSTS.slice(0, 2));
    await expect
      .poll(async () => {
        await send({ [`f${sent}`]: sent });
        expect(await counted()).toEqual({ count: sent });
        return await rowsOn(second, database);
      })
      .toBeGreaterThan(1);
    expect((await rowsOn(first, database)) + (await rowsOn(second, database))).toBe(sent);
    expect(await rowsOn(first, database)).toBeGreaterThanOrEqual(before);

    await second.kill();
    const query = await service.call('GET', `/api/core/query?q=${encodeURIComponent('table web | stats count')}`);
    const unreachable = refused(503, 'unavailable', `log store is not reachable: ${new URL(second.origin).host}`);
    expect([query.status, query.json]).toEqual(unreachable);
    await second.start();
    expect(await counted()).toEqual({ count: sent });

    await service.stop();
    cluster(...HOSTS);
    await service.restart();
    // The figures of a table that nothing has used since the start.
    const [web] = (await service.call('GET', `${TABLES}?table_name=web`)).json.tables;
    expect(web).toMatchObject({ table_name: 'web' });
    expect(await counted()).toEqual({ count: sent });
    for (let n = 0; n < 6; n += 1) await send();
    expect(await rowsOn(third, database)).toBe(2);
    expect(await counted()).toEqual({ count: sent });
    const [stat] = (await service.call('GET', `${TABLES}?table_name=web`)).json.tables;
    expect(stat.table_size).toBeGreaterThan(0);
  });

  it('are not used where they belong to another installation, or are one that is there', async () => {
    const [second] = others as [ClickhouseServer];
    const database = await first.createDatabase();
    await second.ask(`create database ${database}`);
    await second.ask(
      `create table ${database}.vigil_shard (installation String, guid String) engine = MergeTree order by guid`,
    );
    await second.ask(`insert into ${database}.vigil_shard values ('other', 'one')`);
    cluster(HOSTS[0]);
    const log = new CapturedLog();
    const logs = logsUrl([first], database, '&cluster=main');
    await using service = await startService({ alone: 'node', flags: { logs, 'maintenance-period': '1' }, log });
    const logger = await createLogger(service, { table: 'web' });
    cluster(...HOSTS.slice(0, 2));
    const told = () =>
      log.warnings.filter(({ message }) => message.endsWith('is not used')).map(({ fields }) => fields.reason);
    await expect.poll(told).toEqual(['log-store-foreign']);
    cluster(HOSTS[0], 'localhost');
    await expect.poll(told).toEqual(['log-store-foreign', 'log-store-twice']);
    await push(service, logger, { body: '{"n":1}' });
    expect(await rowsOf(service, 'table web | stats count')).toEqual([{ count: 1 }]);
  });
});
