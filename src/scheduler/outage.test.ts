// The metadata database goes away under the scheduler and comes back: every slot has its row all the same.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createSchedule, SCHEDULES, slotsWhen } from '#test/support/scheduled-queries.ts';
import { databases, type Service, startService, type Wire } from '#test/support/service.ts';

const postgres = databases.find(({ name }) => name === 'postgres');
const FIELDS = { enabled: 'true', cron_schedule: '* * * * * *' };

describe.skipIf(postgres?.skip)('While the metadata database is out of reach', () => {
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

  async function allow(isAllowed: boolean): Promise<void> {
    const name = new URL(service.config.database ?? '').pathname.slice(1);
    await server.query(`alter database ${name} allow_connections ${isAllowed}`);
    if (!isAllowed)
      await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  }

  const checked = async () => (await service.call('GET', '/readyz')).json.checks.scheduler;

  it('the scheduler is not ready; afterwards no slot is without its row, and none has two', async () => {
    const guid = await createSchedule(service, FIELDS);
    await slotsWhen(service, guid, (all) => all.length >= 2);
    await allow(false);
    await expect.poll(checked).not.toBe('ok');
    await allow(true);
    await expect.poll(checked).toBe('ok');
    const after = Date.now();
    const isPast = ({ slot_time, state }: Wire) =>
      Date.parse(slot_time.replace(' ', 'T')) > after && state === 'succeeded';
    await slotsWhen(service, guid, (all) => all.some(isPast));
    await service.call('PUT', `${SCHEDULES}/${guid}`, {
      form: { name: 'at rest', query: 'json "{}"', trigger_type: 'cron', ...FIELDS, enabled: 'false' },
    });
    const slots = await slotsWhen(service, guid, (all) => all.every(({ state }) => state !== 'running'));
    const times = slots.map(({ slot_time }) => Date.parse(slot_time.replace(' ', 'T'))).toReversed();
    expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + index * 1000));
  });
});
