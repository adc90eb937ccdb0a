// What settings and roles change: catching up, rights of runs, what the service tells of itself, rows of a stopped run.

import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { metricsOf } from '#test/support/metrics.ts';
import { ENDLESS_JSON, reached } from '#test/support/queries.ts';
import {
  createFollower,
  createRunning,
  createSchedule,
  endedSlots,
  removeAll,
  runningQuery,
  runToEnd,
  SCHEDULES,
  SLOW,
  slotsOf,
  slotsWhen,
  start,
  stop,
  toNextMinute,
} from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, serviceFor } from '#test/support/suites.ts';

const MINUTELY = { enabled: 'true', cron_schedule: '* * * * *' };

describe.each([
  ['none', ['missed service-down', 'missed service-down', 'missed service-down']],
  ['latest', ['backfilled null', 'missed service-down', 'missed service-down']],
  ['all', ['backfilled null', 'backfilled null', 'backfilled null']],
])('With scheduler-catch-up %s', (catchUp, expected) => {
  const subject = serviceFor({ flags: { 'scheduler-catch-up': catchUp } });
  const { clock } = subject;

  it('what was missed is caught up with accordingly, and its followers run for each', async () => {
    const guid = await createSchedule(subject, MINUTELY);
    const follower = await createFollower(subject, guid);
    toNextMinute(clock);
    await endedSlots(subject, follower, 1);
    await subject.service.stop();
    clock.advance({ minutes: 3, seconds: 5 });
    await subject.service.restart();
    const caughtUp = expected.filter((one) => one.startsWith('backfilled')).length;
    const slots = await slotsWhen(
      subject,
      guid,
      (all) => all.length === 4 && countOf(all, 'succeeded') === caughtUp + 1,
    );
    expect(slots.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([...expected, 'ran null']);
    await endedSlots(subject, follower, 1 + caughtUp);
    toNextMinute(clock);
    await slotsWhen(subject, guid, (all) => all.length === 5 && countOf(all, 'succeeded') === caughtUp + 2);
    expect(await endedSlots(subject, follower, 2 + caughtUp)).toHaveLength(2 + caughtUp);
  });
});

const countOf = (slots: readonly Wire[], state: string) => slots.filter((slot) => slot.state === state).length;

onEachDatabase('Scheduled queries', (subject) => {
  const { call, clock } = subject;

  it('run with the rights of an administrator, whatever becomes of the owner', async () => {
    const logger = await createLogger(subject, { table: 'secret' });
    await push(subject, logger, { body: '{"a":1}\n{"a":2}' });
    const owner = await createAccount(subject, 'ADMIN', { login: 'demoted' });
    const guid = await createSchedule(subject, { query: 'table secret' }, { key: owner.key });
    expect(await runToEnd(subject, guid)).toMatchObject({ state: 'succeeded', rows: 2 });
    await call('PUT', `/api/core/users/${owner.guid}`, { form: { role: 'MEMBER' } });
    expect(await runToEnd(subject, guid)).toMatchObject({ state: 'succeeded', rows: 2 });
    expect((await call('GET', `${SCHEDULES}/${guid}`, { key: owner.key })).json.error_msg).toBe('no-permission');
  });

  it('keep the rows so far of a run that is stopped in order, and drop them by force', async () => {
    for (const [force, isKept] of [
      ['false', true],
      ['true', false],
    ] as const) {
      const guid = await createSchedule(subject, { query: ENDLESS_JSON });
      await start(subject, guid);
      const id = await runningQuery(subject, guid);
      await reached(subject, id, ({ rows }) => rows > 0);
      await call('POST', `${SCHEDULES}/stop`, { form: { guids: guid, force } });
      const [slot] = await slotsOf(subject, guid);
      expect([slot.state, slot.rows > 0]).toEqual(['cancelled', isKept]);
      // What a status has told never falls.
      expect((await call('GET', `/api/core/queries/${id}`)).json.rows).toBeGreaterThan(0);
      const rows = await call('GET', `/api/core/cursors/${id}?limit=1`);
      expect([force, rows.text.includes('"a"')]).toEqual([force, isKept]);
    }
  });

  it('may run on nodes of either type', async () => {
    for (const node_types of ['control', 'data', 'control,data']) {
      const guid = await createSchedule(subject, { node_types, ...MINUTELY });
      toNextMinute(clock);
      expect(await endedSlots(subject, guid, 1)).toMatchObject([{ outcome: 'ran', state: 'succeeded' }]);
    }
    await removeAll(subject);
  });

  it('run at most once for a due time, however often they are updated around it', async () => {
    const guid = await createSchedule(subject, MINUTELY);
    const update = () =>
      call('PUT', `${SCHEDULES}/${guid}`, {
        form: { name: 'restless', query: 'json "{}"', trigger_type: 'cron', ...MINUTELY },
      });
    await update();
    toNextMinute(clock);
    await Promise.all([update(), update(), update()]);
    await endedSlots(subject, guid, 1);
    await update();
    clock.advance({ seconds: 20 });
    await update();
    toNextMinute(clock);
    const slots = await endedSlots(subject, guid, 2);
    expect(slots).toHaveLength(2);
    for (const slot of slots) expect(slot).toMatchObject({ outcome: 'ran', state: 'succeeded', reason: null });
    await removeAll(subject);
  });

  it('lose no slot when they are removed or disabled while one is due', async () => {
    const guid = await createSchedule(subject, { query: SLOW, ...MINUTELY });
    toNextMinute(clock);
    await runningQuery(subject, guid);
    const form = { name: 'off', query: SLOW, trigger_type: 'cron', cron_schedule: '* * * * *' };
    await call('PUT', `${SCHEDULES}/${guid}`, { form });
    expect(await slotsOf(subject, guid)).toMatchObject([{ outcome: 'ran', state: 'running' }]);
    await stop(subject, guid);
    expect(await slotsOf(subject, guid)).toMatchObject([{ outcome: 'ran', state: 'cancelled' }]);
    await removeAll(subject);
  });

  it('are told of in /readyz and /metrics', async () => {
    const ready = await call('GET', '/readyz');
    expect(ready.json).toMatchObject({ status: 'ready', checks: { scheduler: 'ok' } });
    const ran = async () =>
      (await metricsOf(subject.service))
        .matchAll(/^vigil_slots_total\{kind="scheduled-query",outcome="ran",state="\w+"\} (\d+)$/gm)
        .reduce((sum, [, count]) => sum + Number(count), 0);
    const before = await ran();
    await createRunning(subject);
    await removeAll(subject);
    await runToEnd(subject, await createSchedule(subject));
    expect(await ran()).toBe(before + 2);
  });
});
