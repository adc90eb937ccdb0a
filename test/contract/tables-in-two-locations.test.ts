// A service that has embedded tables and tables on ClickHouse: both are written, read together and removed.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { type ClickhouseServer, logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { rowsOf, sent } from '#test/support/logs.ts';
import { startService } from '#test/support/service.ts';
import { refused } from '#test/support/suites.ts';
import { DAY, pushTo, startBeside, TABLES, tableOf } from '#test/support/two-locations.ts';

const { reason } = inject('clickhouse');

describe.skipIf(reason)('Tables in two places', () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  it('are written where they are, read together, and removed', async () => {
    const today = Date.now();
    const at = (n: number, days = 0) => ({ n, _time: today - days * DAY - n });
    await using embedded = await startService({ alone: 'embedded' });
    for (const table of ['old', 'gone']) await created(embedded, TABLES, { table });
    const profile = await created(embedded, '/api/core/crypto-profiles', { name: 'secret' });
    await created(embedded, TABLES, { table: 'dark', crypto_profile_guid: profile, encrypted: 'true' });
    await pushTo(embedded, 'old', [at(1), at(2, 3)]);
    await pushTo(embedded, 'dark', [at(7)]);
    expect(await tableOf(embedded, 'old')).toMatchObject({ engine: 'embedded' });
    await embedded.stop();

    await using service = await startBeside(embedded, logsUrl([server], await server.createDatabase()));
    await created(service, TABLES, { table: 'new' });
    await pushTo(service, 'new', [at(3), at(4, 3)]);
    await pushTo(service, 'old', [at(5)]);
    expect([await tableOf(service, 'old'), await tableOf(service, 'new')]).toMatchObject([
      { engine: 'embedded' },
      { engine: 'clickhouse' },
    ]);
    const numbers = async (q: string) => (await rowsOf(service, q)).map(sent).map(({ n }) => n);
    expect(await numbers('table old | sort n')).toEqual([1, 2, 5]);
    expect(await numbers('table new | sort n')).toEqual([3, 4]);
    expect(await numbers('table old, new | sort n')).toEqual([1, 2, 3, 4, 5]);
    expect(await numbers('table limit=2 old, new')).toEqual([1, 3]);
    expect(await numbers('table old, new | search n > 1 | limit 3')).toEqual([3, 5, 2]);
    expect(await rowsOf(service, 'table old, new | stats count, sum(n)')).toEqual([{ count: 5, 'sum(n)': 15 }]);
    expect(await rowsOf(service, 'table old, new | timechart span=1d count')).toMatchObject([
      { count: 2 },
      { count: 3 },
    ]);
    expect(await numbers('table dark, new | sort n')).toEqual([3, 4, 7]);
    expect(await numbers('table new | join n [ table old, new | eval m = n ] | sort n')).toEqual([3, 4]);
    expect(await rowsOf(service, 'table old | stats count | import new')).toEqual([{ count: 3 }]);
    expect(await rowsOf(service, 'table new | stats count')).toEqual([{ count: 3 }]);

    const { tables } = (await service.call('GET', TABLES)).json;
    const sizes = tables.map(({ table_name, table_size }: Record<string, unknown>) => [
      table_name,
      Number(table_size) > 0,
    ]);
    expect(sizes).toEqual([
      ['dark', true],
      ['gone', false],
      ['new', true],
      ['old', true],
    ]);
    const dark = { table: 'darker', crypto_profile_guid: profile, encrypted: 'true' };
    const answer = await service.call('POST', TABLES, { form: dark });
    expect([answer.status, answer.json]).toEqual(
      refused(500, 'illegal-state', 'log store has no crypto profiles: darker'),
    );

    const days = { start: '2000-01-01', end: new Date(today - 2 * DAY).toISOString().slice(0, 10) };
    for (const table of ['old', 'new']) {
      const query = new URLSearchParams(days);
      expect((await service.call('DELETE', `${TABLES}/${table}/partitions?${query}`)).status).toBe(200);
    }
    await expect.poll(() => numbers('table old, new | search n > 0 | sort n')).toEqual([1, 3, 5]);
    for (const table of ['old', 'new']) expect((await service.call('DELETE', `${TABLES}/${table}`)).json).toEqual({});
    await created(service, TABLES, { table: 'old' });
    expect(await tableOf(service, 'old')).toMatchObject({ engine: 'clickhouse' });
    expect(await rowsOf(service, 'table old')).toEqual([]);
  });

  it('are found again after a restart; those on this machine also while ClickHouse is away', async () => {
    await using embedded = await startService({ alone: 'embedded' });
    await created(embedded, TABLES, { table: 'old' });
    await pushTo(embedded, 'old', [{ n: 1 }]);
    await embedded.stop();
    await using own = await startClickhouse();
    const logs = logsUrl([own], await own.createDatabase());
    {
      await using service = await startBeside(embedded, logs);
      await created(service, TABLES, { table: 'new' });
      await pushTo(service, 'new', [{ n: 2 }]);
      await pushTo(service, 'old', [{ n: 3 }]);
    }
    await using service = await startBeside(embedded, logs);
    const numbers = async (q: string) => (await rowsOf(service, q)).map(({ n }) => n);
    expect(await numbers('table old, new | sort n')).toEqual([1, 2, 3]);
    await own.kill();
    await pushTo(service, 'old', [{ n: 4 }]);
    expect(await numbers('table old | sort n')).toEqual([1, 3, 4]);
    const asked = await service.call('GET', `/api/core/query?q=${encodeURIComponent('table old, new')}`);
    const shard = new URL(own.origin).host;
    expect([asked.status, asked.json]).toEqual(refused(503, 'unavailable', `log store is not reachable: ${shard}`));
    await own.start();
    expect(await numbers('table old, new | sort n')).toEqual([1, 2, 3, 4]);
  });
});
