// How runs of scheduled queries share the service: text, order, places, limits.

import { describe, expect, it } from 'vitest';
import { jitterOf } from '#scheduler/settings.ts';
import { rowsOf } from '#test/support/logs.ts';
import {
  createFollower,
  createRunning,
  createSchedule,
  endedSlots,
  QUICK,
  recordOf,
  removeAll,
  runningQuery,
  SCHEDULES,
  SLOW,
  slotsOf,
  slotsWhen,
  start,
  stop,
  toNextHour,
} from '#test/support/scheduled-queries.ts';
import { onEachDatabase, serviceFor } from '#test/support/suites.ts';

const MINUTELY = { enabled: 'true', cron_schedule: '* * * * *' };

onEachDatabase('A run', (subject) => {
  const { call, clock } = subject;
  const update = (guid: string, fields: Record<string, string>) =>
    call('PUT', `${SCHEDULES}/${guid}`, { form: { name: guid, trigger_type: 'cron', ...MINUTELY, ...fields } });

  it('goes on with its text when that is changed; the next slot has the new one', async () => {
    const guid = await createSchedule(subject, { query: SLOW, ...MINUTELY });
    clock.advance({ minutes: 1 });
    const id = await runningQuery(subject, guid);
    expect((await update(guid, { query: 'json "[{},{}]"' })).json).toEqual({});
    expect((await call('GET', `/api/core/queries/${id}`)).json).toMatchObject({
      query_string: SLOW,
      is_finished: false,
    });
    await stop(subject, guid);
    clock.advance({ minutes: 1 });
    const slots = await endedSlots(subject, guid, 2);
    expect(slots.map(({ state, rows }) => [state, rows])).toEqual([
      ['succeeded', 2],
      ['cancelled', 0],
    ]);
    await removeAll(subject);
  });

  it('is skipped when its query was disabled after it fell due by a workflow, and told so', async () => {
    const first = await createSchedule(subject);
    const second = await createFollower(subject, first, { enabled: 'false' });
    await start(subject, first);
    await endedSlots(subject, first, 1);
    const [slot] = await endedSlots(subject, second, 1);
    expect(slot).toMatchObject({ outcome: 'skipped', reason: 'disabled', state: null, run_guid: null });
  });

  it('of the schedule waits for a backfill of the same query, and does not skip', async () => {
    const guid = await createSchedule(subject, { query: SLOW, cron_schedule: '* * * * *' });
    clock.advance({ minutes: 1 });
    const past = `${clock.now().toString().slice(0, 16).replace('T', ' ')}:00+0000`;
    const { json } = await call('POST', `${SCHEDULES}/${guid}/backfill`, { form: { from: past, to: past } });
    expect(json).toEqual({ queued: 1, skipped: 0 });
    const backfill = await runningQuery(subject, guid);
    await update(guid, { query: QUICK });
    clock.advance({ minutes: 1 });
    const [due] = await slotsWhen(subject, guid, (all) => all.length === 2);
    expect(due).toMatchObject({ outcome: 'ran', state: 'running', query_id: null, started: null });
    expect((await recordOf(subject, guid)).running_state).toBe('running');
    await call('POST', `/api/core/queries/${backfill}/cancel`);
    const slots = await endedSlots(subject, guid, 2);
    expect(slots.map(({ outcome, state }) => [outcome, state])).toEqual([
      ['ran', 'succeeded'],
      ['backfilled', 'cancelled'],
    ]);
    await removeAll(subject);
  });

  it('keeps the rights of an administrator when its owner has gone', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'kept' } });
    const { json: user } = await call('POST', '/api/core/users', {
      form: { login: 'leaver', name: 'leaver', role: 'ADMIN' },
    });
    const { json: made } = await call('POST', `/api/core/users/${user.guid}/api-keys`, { form: { name: 'k' } });
    const guid = await createSchedule(subject, { query: 'json "{n:1}" | import kept' }, { key: made.api_key });
    await call('DELETE', '/api/core/users', { form: { guids: user.guid } });
    await start(subject, guid);
    expect((await endedSlots(subject, guid, 1))[0]).toMatchObject({ state: 'succeeded', rows: 1 });
    expect((await recordOf(subject, guid)).owner).toBe('leaver');
    expect(await rowsOf(subject, 'table kept | fields n')).toEqual([{ n: 1 }]);
  });
});

describe('Runs', () => {
  const subject = serviceFor({
    flags: { 'scheduler-concurrency': '2', 'scheduler-run-timeout': '3600', 'scheduler-jitter': '50' },
  });
  const { clock } = subject;
  const guidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

  it('are as many as the setting says, and the others wait', async () => {
    const running = [await createRunning(subject), await createRunning(subject)];
    const waiting = await createSchedule(subject);
    await start(subject, waiting);
    expect((await slotsOf(subject, waiting))[0]).toMatchObject({ state: 'running', started: null });
    await stop(subject, running[0]?.guid ?? '');
    expect((await endedSlots(subject, waiting, 1))[0]).toMatchObject({ state: 'succeeded' });
    await removeAll(subject);
  });

  it('may be stopped before they begin', async () => {
    const running = [await createRunning(subject), await createRunning(subject)];
    const waiting = await createSchedule(subject);
    await start(subject, waiting);
    expect((await stop(subject, waiting)).json).toEqual({ succeeded: 1, failures: [] });
    expect((await slotsOf(subject, waiting))[0]).toMatchObject({ state: 'cancelled', started: null, query_id: null });
    expect((await recordOf(subject, waiting)).running_state).toBeNull();
    await stop(subject, ...running.map(({ guid }) => guid));
    expect(await slotsOf(subject, waiting)).toHaveLength(1);
    await removeAll(subject);
  });

  it('are broken off when they take too long', async () => {
    const { guid } = await createRunning(subject);
    clock.leap({ minutes: 61 });
    const [slot] = await endedSlots(subject, guid, 1);
    expect(slot).toMatchObject({
      state: 'failed',
      error: '(93000) the engine failed: the query ran for more than 3600 seconds',
    });
    await removeAll(subject);
  });

  it('of equal schedules begin at moments of their own', async () => {
    const guids = Array.from({ length: 6 }, (_, n) => guidOf(n));
    for (const guid of guids) await createSchedule(subject, { guid, enabled: 'true', cron_schedule: '0 * * * *' });
    toNextHour(clock);
    for (const guid of guids) await slotsWhen(subject, guid, (all) => all.length === 1);
    const spread = Temporal.Duration.from({ seconds: 50 });
    for (let second = 10; second <= 50; second += 10) {
      clock.advance({ seconds: 10 });
      const due = guids.filter((guid) => jitterOf(guid, spread) <= second * 1000);
      for (const guid of due) await endedSlots(subject, guid, 1);
    }
    const slots = await Promise.all(guids.map((guid) => endedSlots(subject, guid, 1)));
    for (const [index, [slot]] of slots.entries()) {
      const delay = Number(slot.started.slice(17, 19)) * 1000 - jitterOf(guids[index] ?? '', spread);
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThanOrEqual(10_000);
    }
    expect(new Set(slots.map(([slot]) => slot.started)).size).toBeGreaterThan(1);
  });
});
