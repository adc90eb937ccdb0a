// Two services on one database: every due second is run by one of them, and both know what runs.

import { expect, it, vi } from 'vitest';
import {
  createRunning,
  createSchedule,
  recordOf,
  SCHEDULES,
  slotsOf,
  slotsWhen,
  stop,
} from '#test/support/scheduled-queries.ts';
import { onTwoNodes } from '#test/support/suites.ts';

vi.setConfig({ testTimeout: 90_000 });

onTwoNodes('Schedules', (nodes) => {
  it('are due once, not once for each service', async () => {
    const { one, other } = nodes;
    const guid = await createSchedule(one, { enabled: 'true', cron_schedule: '* * * * * *' });
    await slotsWhen(one, guid, (all) => all.length >= 6);
    const { name, query } = await recordOf(other, guid);
    const form = { name, query, trigger_type: 'cron', cron_schedule: '* * * * * *', enabled: 'false' };
    await other.call('PUT', `${SCHEDULES}/${guid}`, { form });
    const slots = await slotsWhen(other, guid, (all) => all.every(({ state }) => state !== 'running'));
    const times = slots.map(({ slot_time }) => slot_time);
    expect(new Set(times).size).toBe(times.length);
    const seconds = times.map((time) => Date.parse(time.replace(/(\d\d)$/, ':$1')) / 1000);
    expect(seconds).toEqual(seconds.map((_, back) => (seconds[0] ?? 0) - back));
  });

  it('run on one of them, and both know, and either stops and removes them', async () => {
    const { one, other } = nodes;
    const { guid } = await createRunning(one);
    expect(await recordOf(other, guid)).toMatchObject({ running_state: 'running' });
    const again = await other.call('POST', `${SCHEDULES}/run`, { form: { guids: guid } });
    expect(again.json).toEqual({ succeeded: 0, failures: [{ id: guid, reason: 'already-running' }] });
    const left = await other.call('DELETE', SCHEDULES, { form: { guids: guid } });
    expect(left.json).toEqual({ succeeded: 0, failures: [] });
    expect((await stop(other, guid)).json).toEqual({ succeeded: 1, failures: [] });
    expect(await slotsOf(one, guid)).toMatchObject([{ state: 'cancelled' }]);
    await one.call('POST', `${SCHEDULES}/run`, { form: { guids: guid } });
    await slotsWhen(one, guid, (all) => all[0].query_id !== null && all[0].state === 'running');
    const removed = await other.call('DELETE', SCHEDULES, { form: { guids: guid, policy: 'force' } });
    expect(removed.json).toEqual({ succeeded: 1, failures: [] });
    expect(await recordOf(one, guid)).toBeNull();
  });
});
