// Moves of tables that are refused, cancelled, killed or overtaken by the removal of records.

import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { rowsOf } from '#test/support/logs.ts';
import { client, ended as endedBy, home } from '#test/support/process-suite.ts';
import { MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { NO_PERMISSION, outcome, refused } from '#test/support/suites.ts';
import {
  daysOf,
  moveEnded,
  moveOf,
  moveTo,
  pushTo,
  startBeside,
  TABLES,
  tableOf,
} from '#test/support/two-locations.ts';

// The server is stopped and killed here.
const skip = inject('clickhouse').reason || process.env.VIGIL_TEST_CLICKHOUSE;
const isSome = (count: number) => count > 0;
const illegal = (text: string) => refused(500, 'illegal-state', text);

describe.skipIf(skip)('A move of a table', () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  /** A service with an embedded table of some days, ten records each. */
  async function startWithDays(days: number, more?: Readonly<Record<string, string>>) {
    const embedded = await startService({ alone: 'embedded' });
    await created(embedded, TABLES, { table: 'logs' });
    await pushTo(embedded, 'logs', daysOf(days));
    await embedded.stop();
    const service = await startBeside(embedded, logsUrl([server], await server.createDatabase()), more);
    onTestFinished(async () => {
      await service[Symbol.asyncDispose]();
      await embedded[Symbol.asyncDispose]();
    });
    return service;
  }

  /** Begins a move while the server says nothing, and cancels it before the first day is copied. */
  async function splitTable(service: Pick<Service, 'call'>): Promise<void> {
    server.hang();
    expect((await moveTo(service, 'logs', 'clickhouse')).status).toBe(200);
    expect(outcome(await moveTo(service, 'logs', 'clickhouse'))).toEqual(illegal('table is being moved: logs'));
    const cancelled = service.call('DELETE', `${TABLES}/logs/move`);
    const isWritten = async () =>
      (await service.call('GET', '/api/core/audit-logs?offset=0&limit=10')).text.includes('move-cancel');
    await expect.poll(isWritten).toBe(true);
    server.resume();
    expect((await cancelled).json).toEqual({});
    expect(await moveOf(service, 'logs')).toMatchObject({ state: 'cancelled', finished: expect.any(String) });
    expect(await tableOf(service, 'logs')).toMatchObject({ engine: 'both' });
  }

  it('is refused where it cannot be, and says why', async () => {
    await using embedded = await startService({ alone: 'embedded' });
    await created(embedded, TABLES, { table: 'logs' });
    const profile = await created(embedded, '/api/core/crypto-profiles', { name: 'secret' });
    await created(embedded, TABLES, { table: 'dark', crypto_profile_guid: profile });
    expect(outcome(await moveTo(embedded, 'logs', 'clickhouse'))).toEqual(
      illegal('no log store of this kind: clickhouse'),
    );
    await embedded.stop();
    await using service = await startBeside(embedded, logsUrl([server], await server.createDatabase()));
    const asked = (path: string, method: string, key = MASTER_KEY) =>
      service.call(method, `${TABLES}/${path}`, { key, ...(method === 'POST' ? { form: { to: 'embedded' } } : {}) });
    for (const method of ['POST', 'GET', 'DELETE'])
      expect(outcome(await asked('nowhere/move', method))).toEqual(illegal('table not found: nowhere'));
    expect(outcome(await moveTo(service, 'logs', 'embedded'))).toEqual(illegal('table is already there: logs'));
    expect(outcome(await moveTo(service, 'dark', 'clickhouse'))).toEqual(
      illegal('log store has no crypto profiles: dark'),
    );
    expect(outcome(await asked('logs/move', 'DELETE'))).toEqual(illegal('table is not being moved: logs'));
    expect((await moveTo(service, 'logs', 'moon')).status).toBe(400);
    const member = await createAccount(service, 'MEMBER', { login: 'reader' });
    for (const method of ['POST', 'GET', 'DELETE'])
      expect(outcome(await asked('logs/move', method, member.key))).toEqual(NO_PERMISSION);
    expect(await moveOf(service, 'logs')).toBeNull();
  });

  it('that is cancelled leaves each day where it is, and goes on in either direction', async () => {
    const service = await startWithDays(5);
    const count = async () => (await rowsOf(service, 'table logs | stats count, dc(_id) as ids'))[0];
    const entries = await entriesOf(service, () => splitTable(service));
    expect(entries.map(({ module, method, error, params }) => [module, method, error, params.table])).toEqual([
      ['tables', 'move', undefined, 'logs'],
      ['tables', 'move', 'table is being moved: logs', 'logs'],
      ['tables', 'move-cancel', undefined, 'logs'],
    ]);
    expect(await count()).toEqual({ count: 50, ids: 50 });
    await pushTo(service, 'logs', [{ n: 50 }]);
    for (const to of ['embedded', 'clickhouse']) {
      expect((await moveTo(service, 'logs', to)).status).toBe(200);
      await moveEnded(service, 'logs');
      expect(await tableOf(service, 'logs')).toMatchObject({ engine: to });
      expect(await count()).toEqual({ count: 51, ids: 51 });
    }
  });

  it('leaves a split table whose days are listed, removed and dropped in both places', async () => {
    const service = await startWithDays(6, { 'maintenance-period': '1' });
    await splitTable(service);
    await pushTo(service, 'logs', daysOf(6));
    const listed = async (): Promise<{ day: string; rows: number }[]> =>
      (await service.call('GET', `${TABLES}/logs/days`)).json.days;
    const days = await listed();
    expect(days.map(({ rows }) => rows)).toEqual([20, 20, 20, 20, 20, 20]);
    const { min_day, max_day } = await tableOf(service, 'logs');
    expect([max_day.slice(0, 10), min_day.slice(0, 10)]).toEqual([days[0]?.day, days[5]?.day]);
    const count = async () => (await rowsOf(service, 'table logs | stats count'))[0]?.count;
    expect(await count()).toBe(120);
    const query = new URLSearchParams({ start: days[1]?.day ?? '', end: days[1]?.day ?? '' });
    expect((await service.call('DELETE', `${TABLES}/logs/partitions?${query}`)).status).toBe(200);
    expect(await count()).toBe(100);
    expect((await service.call('PUT', `${TABLES}/logs/retention`, { form: { period: '3' } })).status).toBe(200);
    await expect.poll(count).toBe(60);
    // Figures of ClickHouse are up to a second old.
    await expect.poll(async () => (await listed()).map(({ rows }) => rows)).toEqual([20, 20, 20]);
    expect((await moveTo(service, 'logs', 'clickhouse')).status).toBe(200);
    expect((await service.call('DELETE', `${TABLES}/logs`)).json).toEqual({});
    await created(service, TABLES, { table: 'logs' });
    expect(await rowsOf(service, 'table logs')).toEqual([]);
    expect(await moveOf(service, 'logs')).toBeNull();
  });

  it('that fails says why, and goes on when the server is there again', async () => {
    const service = await startWithDays(3);
    await server.kill();
    expect((await moveTo(service, 'logs', 'clickhouse')).status).toBe(200);
    await moveEnded(service, 'logs', 'failed');
    const error = `log store is not reachable: ${new URL(server.origin).host}`;
    expect(await moveOf(service, 'logs')).toMatchObject({ error, days_done: 0 });
    await server.start();
    expect(await tableOf(service, 'logs')).toMatchObject({ engine: 'embedded' });
    expect((await moveTo(service, 'logs', 'clickhouse')).status).toBe(200);
    await moveEnded(service, 'logs');
    expect(await rowsOf(service, 'table logs | stats count, dc(_id) as ids')).toEqual([{ count: 30, ids: 30 }]);
  });

  it('goes on after kill -9, and loses and doubles nothing', async () => {
    const installation = home();
    const environment = {
      VIGIL_MASTER_KEY: MASTER_KEY,
      ...(inject('postgresReason')
        ? {}
        : { VIGIL_DATABASE: await createMetadataDatabase(`t_${newGuid().replaceAll('-', '')}`) }),
    };
    const first = installation.serve(environment);
    const before = client(await first.ready());
    await created(before, TABLES, { table: 'logs' });
    await pushTo(before, 'logs', daysOf(12));
    expect(await endedBy(first, 'SIGTERM')).toBe(0);
    const placed = { ...environment, VIGIL_LOGS: logsUrl([server], await server.createDatabase()) };
    let total = 120;
    for (const to of ['clickhouse', 'embedded']) {
      const process = installation.serve(placed);
      const service = client(await process.ready());
      expect((await moveTo(service, 'logs', to)).status).toBe(200);
      await expect.poll(async () => (await moveOf(service, 'logs')).days_done).toBeGreaterThan(1);
      await pushTo(service, 'logs', [{ n: total }]);
      total += 1;
      // No day is copied from here on: the process is killed in the middle of the move.
      server.hang();
      try {
        expect(await moveOf(service, 'logs')).toMatchObject({ state: 'running', days_left: expect.toSatisfy(isSome) });
        await endedBy(process, 'SIGKILL');
      } finally {
        server.resume();
      }
      const again = installation.serve(placed);
      const restarted = client(await again.ready());
      await moveEnded(restarted, 'logs');
      expect(await tableOf(restarted, 'logs')).toMatchObject({ engine: to });
      const [row] = await rowsOf(restarted, 'table logs | stats count, dc(_id) as ids, dc(n) as numbers');
      expect(row).toEqual({ count: total, ids: total, numbers: total });
      expect(await endedBy(again, 'SIGTERM')).toBe(0);
    }
    // Nothing is left on ClickHouse: the service starts without it.
    const alone = installation.serve(environment);
    expect(await rowsOf(client(await alone.ready()), 'table logs | stats count')).toEqual([{ count: total }]);
    expect(await endedBy(alone, 'SIGTERM')).toBe(0);
  });
});
