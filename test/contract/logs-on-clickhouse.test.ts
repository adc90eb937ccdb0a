// The service with its logs on ClickHouse, as a process: all that is done with logs, a server that hangs, dies and comes back, and
// the starts that are refused.

import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startApp } from '#app/app.ts';
import { newGuid } from '#kernel/guid.ts';
import { readConfig } from '#settings/read-config.ts';
import { created } from '#test/support/accounts.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createDatabase } from '#test/support/databases.ts';
import { listening } from '#test/support/listening.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import { type Home, makeHome, type VigilProcess } from '#test/support/process.ts';
import { createSchedule, runToEnd } from '#test/support/scheduled-queries.ts';
import { MASTER_KEY, send, startService } from '#test/support/service.ts';
import { createStream, createStreamRule, eventsOf } from '#test/support/stream-rules.ts';
import { refused } from '#test/support/suites.ts';
import { upload } from '#test/support/uploads.ts';

const { reason } = inject('clickhouse');
// The servers are killed here.
const skip = reason || process.env.VIGIL_TEST_CLICKHOUSE;
const TABLES = '/api/core/tables';
const DAY = 86_400_000;

const clientOf = (url: string) => ({
  call: (method: string, path: string, options?: Parameters<typeof send>[2]) => send(`${url}${path}`, method, options),
});
type Caller = ReturnType<typeof clientOf>;

/** A table with its logger, and its rows. */
interface Web {
  readonly logger: string;
  all(): Promise<unknown[]>;
}

describe.skipIf(skip)('A service with its logs on ClickHouse', () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  const shard = () => new URL(server.origin).host;
  const unreachable = () => refused(503, 'unavailable', `log store is not reachable: ${shard()}`);
  const outcome = async (answer: ReturnType<Caller['call']>) => [(await answer).status, (await answer).json];

  it.skipIf(inject('postgresReason'))(
    'takes, finds and removes logs, and says what it cannot do while the server hangs or is gone',
    async () => {
      using home = makeHome();
      const database = await server.createDatabase();
      const environment = {
        VIGIL_MASTER_KEY: MASTER_KEY,
        VIGIL_DATABASE: await createDatabase(`t_${newGuid().replaceAll('-', '')}`),
        VIGIL_LOGS: logsUrl([server], database),
        VIGIL_MAINTENANCE_PERIOD: '1',
      };
      await server.kill();
      const { service, running } = await startedLate(home, environment, () => server.start());

      const logger = await createLogger(service, { table: 'web' });
      const today = Date.now();
      const lines = [0, 1, 2].map((n) => JSON.stringify({ n, 이름: '점', _time: today - n }));
      expect((await push(service, logger, { body: lines.join('\n') })).json).toMatchObject({ accepted: 3 });
      const old = JSON.stringify({ n: 3, _time: today - 3 * DAY });
      const uploaded = await upload(service, `${old}\n`, { metadata: { table: 'web', format: 'ndjson' } });
      expect(uploaded.status, uploaded.text).toBe(200);
      const all = () => rowsOf(service, 'table web | sort n | fields n, 이름');
      expect((await all()).map(sent)).toEqual([0, 1, 2].map((n) => ({ n, 이름: '점' })).concat({ n: 3 } as never));
      const [web] = (await service.call('GET', `${TABLES}?table_name=web`)).json.tables;
      expect(web).toMatchObject({ table_name: 'web', table_size: expect.any(Number) });
      expect(web.table_size).toBeGreaterThan(0);

      const stream = await createStream(service);
      const rule = await createStreamRule(service, { schema: stream.schema, where: ['search n > 5'] });
      await stream.push({ n: 1 }, { n: 7 });
      await expect.poll(() => eventsOf(service, rule)).toMatchObject([{ msg: 'found 7' }]);
      const schedule = await createSchedule(service, { query: 'table web | stats count | import found' });
      await created(service, TABLES, { table: 'found' });
      expect(await runToEnd(service, schedule)).toMatchObject({ state: 'succeeded' });
      expect((await rowsOf(service, 'table found')).map(sent)).toEqual([{ count: 4 }]);

      const profile = await created(service, '/api/core/crypto-profiles', { name: 'secret' });
      const encrypted = { table: 'dark', crypto_profile_guid: profile, encrypted: 'true' };
      expect(await outcome(service.call('POST', TABLES, { form: encrypted }))).toEqual(
        refused(500, 'illegal-state', 'log store has no crypto profiles: dark'),
      );
      await expectSecretsHidden(service, running);

      await service.call('PUT', `${TABLES}/web/retention`, { form: { period: '1' } });
      await expect.poll(async () => (await all()).length).toBe(3);

      await expectOutage(service, { logger, all });
      running.child.kill('SIGTERM');
      expect(await running.exited(), running.output().stderr).toBe(0);
      const again = clientOf(await home.serve(environment).ready());
      expect(await rowsOf(again, 'table web | stats count')).toEqual([{ count: 5 }]);
    },
  );

  /** While the server is not there, the service waits for it and is not ready. */
  async function startedLate(home: Home, environment: Readonly<Record<string, string>>, begin: () => Promise<void>) {
    const free = createServer();
    const { port, origin } = new URL(await listening(free));
    await new Promise((closed) => free.close(closed));
    const running = home.serve(environment, { port });
    const service = clientOf(origin);
    const ready = () => service.call('GET', '/readyz').catch(() => undefined);
    await expect.poll(async () => (await ready())?.json?.checks.engine).toBe('starting');
    await expect.poll(() => running.output().stderr).toContain('the log store does not answer');
    expect((await ready())?.status).toBe(503);
    await begin();
    await running.ready();
    expect((await ready())?.status).toBe(200);
    return { service, running };
  }

  async function expectSecretsHidden(service: Caller, { output }: VigilProcess) {
    const { settings } = (await service.call('GET', '/api/core/settings')).json;
    const shown = settings.find(({ name }: { name: string }) => name === 'logs').value;
    expect(shown).toMatch(/^clickhouse:\/\/\*\*\*@127\.0\.0\.1:\d+\/vigil_\w+\?tls=off$/);
    const { text } = await service.call('GET', '/api/core/audit-logs?limit=500');
    for (const said of [text, output().stdout, output().stderr]) expect(said).not.toMatch(/correct( |%20)horse/);
  }

  async function expectOutage(service: Caller, { logger, all }: Web) {
    const one = (n: number) => push(service, logger, { body: JSON.stringify({ n }) });
    const query = () => service.call('GET', `/api/core/query?q=${encodeURIComponent('table web')}`);
    server.hang();
    // In doubt: it is answered once the server is.
    const pushed = one(4);
    const asked = await outcome(query()).finally(() => server.resume());
    expect(asked).toEqual(unreachable());
    expect((await pushed).json).toMatchObject({ accepted: 1 });

    await server.kill();
    // Connections of before are gone by then: a push is refused, not in doubt.
    await expect.poll(async () => (await service.call('GET', '/readyz')).json.checks.engine).toBe('failed');
    expect(await outcome(one(5))).toEqual(unreachable());
    expect(await outcome(query())).toEqual(unreachable());
    expect(await outcome(service.call('GET', TABLES))).toEqual(unreachable());
    await server.start();
    expect((await one(6)).json).toMatchObject({ accepted: 1 });
    expect(await all()).toHaveLength(5);
  }

  it('does not start where records are in another place, or where the server cannot be used', async () => {
    const database = await server.createDatabase();
    const logs = logsUrl([server], database);
    const starting = async (flags: Readonly<Record<string, string>>) =>
      await startApp(await readConfig({ flags: { port: '0', ...flags }, environment: {} }));
    await using outside = await startService({ alone: 'process', flags: { logs } });
    await created(outside, TABLES, { table: 'web' });
    await outside.stop();
    const own = { data: outside.config.data, keys: outside.config.keys };
    await expect(starting(own)).rejects.toMatchObject({ code: 'logs-on-clickhouse' });

    const refusals = [
      [logs.replace('correct', 'wrong'), 'log-store-refuses-user'],
      [logs.replace('vigil:', 'unbounded:'), 'log-store-unbounded'],
      [logs.replace(database, 'absent'), 'log-store-no-database'],
    ] as const;
    for (const [url, code] of refusals) await expect(starting({ ...own, logs: url })).rejects.toMatchObject({ code });
    await outside.restart();
    expect(await rowsOf(outside, 'table web')).toEqual([]);
  });

  it('spreads records over the shards of a cluster, and misses a shard that is gone or was emptied', async () => {
    const port = Number(new URL(server.origin).port);
    await using second = await startClickhouse({ host: '127.0.0.2', port });
    const hosts = ['127.0.0.1', '127.0.0.2'];
    const cluster = (...shards: readonly number[]) =>
      server.setCluster(shards.map((shard, at) => [shard, hosts[at] ?? '']));
    const database = await server.createDatabase();
    await second.ask(`create database ${database}`);
    const logs = logsUrl([server], database, '&cluster=main');
    const starting = async (flags: Readonly<Record<string, string>>) =>
      await startApp(await readConfig({ flags: { port: '0', ...flags }, environment: {} }));

    cluster(1, 1);
    await using refusing = await startService({ alone: 'embedded' });
    await refusing.stop();
    const other = { data: refusing.config.data, keys: refusing.config.keys };
    await expect(starting({ ...other, logs })).rejects.toMatchObject({ code: 'log-store-replicated' });
    await expect(starting({ ...other, logs: logs.replace('=main', '=none') })).rejects.toMatchObject({
      code: 'log-store-no-cluster',
    });

    cluster(1, 2);
    await using service = await startService({ alone: 'process', flags: { logs } });
    const logger = await createLogger(service, { table: 'web' });
    for (const n of [0, 1, 2, 3]) await push(service, logger, { body: JSON.stringify({ n }) });
    expect((await rowsOf(service, 'table web | sort n | fields n')).map(sent)).toEqual(
      [0, 1, 2, 3].map((n) => ({ n })),
    );
    const rows = `select sum(rows) from system.parts where active and database = '${database}' and table like 't_%'`;
    expect([await server.ask(rows), await second.ask(rows)]).toEqual([[['2']], [['2']]]);
    await service.stop();

    const own = { data: service.config.data, keys: service.config.keys };
    const lost = { code: 'log-store-lost-shard', values: { shard: `127.0.0.2:${port}` } };
    cluster(1);
    await expect(starting({ ...own, logs })).rejects.toMatchObject(lost);
    cluster(1, 2);
    await expect(starting({ ...other, logs })).rejects.toMatchObject({ code: 'log-store-foreign' });
    await second.ask(`drop database ${database} sync`);
    await second.ask(`create database ${database}`);
    await expect(starting({ ...own, logs })).rejects.toMatchObject(lost);
  });
});
