// What the use of keys and sessions tells other processes, and what it asks of a shared database.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from '#store/store.ts';
import { clusterOn } from '#test/support/cluster-on.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { countWaits } from '#test/support/round-trips.ts';
import { databases, MASTER_KEY, type Service, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { Accounts } from './accounts.ts';

const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('The last use of a key', () => {
  const clock = new ManualClock('2024-03-01T00:00:00Z');
  let service: Service;
  let client: pg.Client;
  beforeAll(async () => {
    service = await startService({ database: 'postgres', clock });
    client = new pg.Client({ connectionString: service.config.database });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await service?.[Symbol.asyncDispose]();
  });

  const one = async (sql: string): Promise<number> => Number((await client.query(sql)).rows[0]?.value ?? 0);
  const changes = () => one(`select number as value from changes where kind = 'accounts'`);

  it('is written without a change of accounts, which all nodes would follow', async () => {
    const before = await changes();
    clock.advance({ seconds: 1 });
    expect((await service.call('GET', '/api/core/address-groups')).status).toBe(200);
    const used = clock.now().epochMilliseconds;
    await clock.pass({ seconds: 30 });
    await until(
      () => one('select max(last_used) as value from api_keys'),
      (at) => at >= used,
    );
    expect(await changes()).toBe(before);
  });

  it('that another node has written down stays, where the own one is earlier', async () => {
    const later = clock.now().add({ seconds: 20 }).epochMilliseconds;
    expect((await service.call('GET', '/api/core/address-groups')).status).toBe(200);
    await client.query(`update api_keys set last_used = ${later}`);
    await clock.pass({ seconds: 30 });
    expect((await service.call('POST', '/api/core/companies', { form: { name: 'behind it' } })).status).toBe(200);
    expect(await one('select max(last_used) as value from api_keys')).toBe(later);
  });

  it('is known from another node before it is written down', async () => {
    const { json } = await service.call('GET', '/api/core/users');
    const keys = async () =>
      (await service.call('GET', `/api/core/users/${json.users[0].guid}/api-keys`)).json.api_keys;
    const [{ guid }] = await keys();
    const later = clock.now().add({ seconds: 20 });
    await client.query(`select pg_notify('vigil_numbers', $1)`, [`other\nuses\n${later.epochMilliseconds} ${guid}`]);
    const shown = async () => Temporal.Instant.from((await keys())[0].last_used).epochMilliseconds;
    await expect.poll(shown).toBe(later.epochMilliseconds);
  });
});

describe.skipIf(postgres?.skip)('The last use of a session', () => {
  const request = { remoteIp: '127.0.0.1', isActivity: true };

  it('is known to a request that reads its account while it is written down', async () => {
    const clock = new ManualClock('2024-03-01T00:00:00Z');
    await using service = await startService({ database: 'postgres', clock });
    const opened = await service.call('POST', '/api/core/sessions', { key: null, form: { api_key: MASTER_KEY } });
    const token = (opened.headers.get('set-cookie') ?? '').split(';')[0]?.split('=')[1] ?? '';
    const store = await openStore(String(service.config.database), { groupCommitted() {}, storeFailed() {} });
    let during: (() => Promise<void>) | undefined;
    const { reader } = store;
    const all = reader.all.bind(reader);
    vi.spyOn(reader, 'all').mockImplementation(async (...asked) => {
      const rows = await all(...asked);
      await during?.();
      return rows;
    });
    const accounts = new Accounts(store, clock, await clusterOn(store));
    clock.advance({ minutes: 50 });
    expect((await accounts.bySession(token, request))?.login).toBe('master');
    clock.advance({ minutes: 50 });
    accounts.forget();
    const flushOnce = async () => {
      during = undefined;
      await accounts.flush();
    };
    during = flushOnce;
    const caller = await accounts.bySession(token, request);
    expect(caller?.login).toBe('master');
    if (!caller) return;
    during = flushOnce;
    clock.advance({ minutes: 50 });
    expect(await accounts.isInSession(caller, { isAttended: false })).toBe(true);
    await accounts.close();
    await store.close();
  });
});

describe.skipIf(postgres?.skip)('Requests that come at the same time', () => {
  const request = { remoteIp: '127.0.0.1', isActivity: false };

  it('share one read of their account, which begins after all of them', async () => {
    await using service = await startService({ database: 'postgres' });
    await using way = await countWaits(String(service.config.database));
    const store = await openStore(way.url, { groupCommitted() {}, storeFailed() {} });
    const accounts = new Accounts(store, new ManualClock('2024-03-01T00:00:00Z'), await clusterOn(store));
    const before = way.waits();
    const found = await Promise.all(Array.from({ length: 20 }, () => accounts.byKey(MASTER_KEY, request)));
    expect(found.map((caller) => caller?.login)).toEqual(Array(20).fill('master'));
    expect(way.waits() - before).toBe(1);
    const [byKey, bySession, unknown] = await Promise.all([
      accounts.byKey(MASTER_KEY, request),
      accounts.bySession(MASTER_KEY, request),
      accounts.byKey('unknown', request),
    ]);
    expect([byKey?.login, bySession, unknown]).toEqual(['master', undefined, undefined]);
    const early = accounts.byKey(MASTER_KEY, request);
    await store.write((db) => db.updateTable('users').set({ login: 'other' }).execute());
    expect((await accounts.byKey(MASTER_KEY, request))?.login).toBe('other');
    await early;
    await accounts.close();
    await store.close();
  });
});
