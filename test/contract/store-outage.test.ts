import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { expectChained, exportedEntries } from '#test/support/audit.ts';
import { createMetadataDatabase } from '#test/support/databases.ts';
import { startPostgresProxy } from '#test/support/postgres-proxy.ts';
import { databases, type Reply, type Service, startService } from '#test/support/service.ts';
import { refused } from '#test/support/suites.ts';
import { named, verdictOn } from '#test/support/tampering.ts';
import { until } from '#test/support/until.ts';

const UNREACHABLE = refused(503, 'unavailable', 'database is not reachable');
const COMPANIES = '/api/core/companies';
const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('While its PostgreSQL database is out of reach', () => {
  let service: Service;
  let server: pg.Client;
  beforeAll(async () => {
    service = await startService({ database: 'postgres' });
    server = new pg.Client({ connectionString: inject('postgresUrl') });
    await server.connect();
  });
  afterAll(async () => {
    await allow(true);
    await server.end();
    await service[Symbol.asyncDispose]();
  });

  /** Closes the database to new connections and breaks those there are, or opens it again. */
  async function allow(isAllowed: boolean): Promise<void> {
    const name = new URL(service.config.database ?? '').pathname.slice(1);
    await server.query(`alter database ${name} allow_connections ${isAllowed}`);
    if (!isAllowed)
      await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  }

  it('the service is healthy but not ready, and tells nobody why it fails', async () => {
    expect((await service.call('POST', COMPANIES, { form: { name: 'before' } })).status).toBe(200);
    await allow(false);
    const ready = await until(
      () => service.call('GET', '/readyz'),
      ({ status }) => status === 503,
    );
    expect([ready.status, ready.json.status]).toEqual([503, 'not-ready']);
    expect(ready.json.checks.store).not.toBe('ok');
    expect((await service.call('GET', '/healthz')).json).toEqual({ status: 'ok' });
    for (const [method, name] of [
      ['POST', 'during'],
      ['GET', undefined],
    ] as const) {
      const answer = await service.call(method, COMPANIES, name === undefined ? {} : { form: { name } });
      expect([answer.status, answer.json]).toEqual(UNREACHABLE);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('nothing is lost, and when it is back everything goes on', async () => {
    await allow(true);
    const ready = await until(
      () => service.call('GET', '/readyz'),
      ({ status }) => status === 200,
    );
    expect(ready.json.status).toBe('ready');
    const after = await until(
      () => service.call('POST', COMPANIES, { form: { name: 'after' } }),
      ({ status }) => status === 200,
    );
    expect(after.status).toBe(200);
    const { json } = await service.call('GET', COMPANIES);
    expect(json.companies.map(({ name }: { name: string }) => name)).toEqual(['after', 'before', 'default']);
    expectChained(await exportedEntries(service));
  });

  it('connections that only broke are made anew', async () => {
    for (const name of ['once', 'twice']) {
      await allow(false);
      await allow(true);
      const answer = await until(
        () => service.call('POST', COMPANIES, { form: { name } }),
        ({ status, json }) => status === 200 || json.error_msg === `duplicated name: ${name}`,
      );
      expect(answer.status).toBe(200);
    }
    expectChained(await exportedEntries(service));
  });
});

describe.skipIf(postgres?.skip)('While no word of its PostgreSQL database arrives', () => {
  // Both wait in real time, so they wait together.
  it.concurrent('the service says so in time, and goes on when it hears again', async () => {
    await using proxy = await startPostgresProxy(await createMetadataDatabase(`o_${newGuid().replaceAll('-', '')}`));
    await using service = await startService({ flags: { database: proxy.url } });
    await service.call('POST', COMPANIES, { form: { name: 'before' } });
    proxy.freeze(true);
    const order: string[] = [];
    const inOrder = async (name: string, answer: Promise<Reply>) => {
      await answer;
      order.push(name);
      return await answer;
    };
    const operations = [
      service.call('GET', COMPANIES),
      service.call('POST', COMPANIES, { form: { name: 'during' } }),
    ].map((answer) => inOrder('operation', answer));
    const ready = await inOrder('readyz', service.call('GET', '/readyz'));
    expect([ready.status, ready.json.checks.store]).toEqual([503, 'no answer']);
    for (const answer of await Promise.all(operations)) expect([answer.status, answer.json]).toEqual(UNREACHABLE);
    // It waits two seconds, operations longer; by the clock of a busy machine nothing could be said.
    expect(order).toEqual(['readyz', 'operation', 'operation']);
    proxy.freeze(false);
    await until(
      () => service.call('GET', '/readyz'),
      ({ status }) => status === 200,
    );
    const { json } = await service.call('GET', COMPANIES);
    expect(json.companies.map(({ name }: { name: string }) => name)).toEqual(['before', 'default']);
  });

  it.concurrent('the service stops, and has lost nothing when it starts again', async () => {
    await using proxy = await startPostgresProxy(await createMetadataDatabase(`o_${newGuid().replaceAll('-', '')}`));
    await using service = await startService({ flags: { database: proxy.url } });
    await service.call('POST', COMPANIES, { form: { name: 'before' } });
    proxy.freeze(true);
    await service.stop();
    proxy.freeze(false);
    await service.restart();
    expect((await service.call('GET', COMPANIES)).json.total_count).toBe(2);
    await service.stop();
    expect(named(await verdictOn(service.config))).toBe('nothing');
  });
});
