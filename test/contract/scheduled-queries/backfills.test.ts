// Backfilling, and what is refused about slots and backfills.

import { describe, expect, it } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import {
  createFollower,
  createSchedule,
  endedSlots,
  FAILING,
  NOWHERE,
  QUICK,
  recordOf,
  runningQuery,
  SCHEDULES,
  SLOW,
  slotsOf,
  slotsWhen,
  start,
  stop,
  toNextMinute,
} from '#test/support/scheduled-queries.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

// Many real runs on a machine that may be busy.
const at = (time: string) => `2024-02-29 ${time}:00+0000`;
const RANGE = refused(400, 'invalid-argument', 'date range is unacceptable.');
const DATE = refused(400, 'invalid-argument', 'invalid date format');
const NOT_FOUND = refused(500, 'illegal-state', `scheduled query not found: ${NOWHERE}`);
const invalid = (message: string) => refused(400, 'invalid-argument', message);

onEachDatabase('A backfill', (subject) => {
  const { call, clock } = subject;
  const backfill = (guid: string, from: string, to: string) =>
    call('POST', `${SCHEDULES}/${guid}/backfill`, { form: { from, to } });

  it('runs what did not run, one after another, oldest first, each with its own clock', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'filled' } });
    const query = 'json "{}" | eval seen = string(now(), "HH:mm") | import filled';
    const guid = await createSchedule(subject, { query, cron_schedule: '0 * * * *' });
    expect(outcome(await backfill(guid, at('01:00'), at('05:00')))).toEqual([200, { queued: 5, skipped: 0 }]);
    const slots = await slotsWhen(
      subject,
      guid,
      (all) => all.filter(({ state }) => state === 'succeeded').length === 5,
    );
    expect(slots.map(({ slot_time }) => slot_time)).toEqual(
      ['05:00', '04:00', '03:00', '02:00', '01:00'].map((time) => at(time)),
    );
    for (const slot of slots) expect(slot).toMatchObject({ outcome: 'backfilled', reason: null, rows: 1 });
    const ids = slots.map(({ query_id }) => query_id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const seen = await rowsOf(subject, 'table filled | sort seen');
    expect(seen.map((row) => row.seen)).toEqual(['01:00', '02:00', '03:00', '04:00', '05:00']);
    expect(outcome(await backfill(guid, at('00:30'), at('05:10')))).toEqual([200, { queued: 0, skipped: 5 }]);
    expect(outcome(await backfill(guid, at('00:00'), at('00:59')))).toEqual([200, { queued: 1, skipped: 0 }]);
    expect(await endedSlots(subject, guid, 6)).toHaveLength(6);
  });

  it('leaves alone what succeeded, and repeats what was skipped, was cancelled or has failed', async () => {
    const guid = await createSchedule(subject, { query: SLOW, enabled: 'true', cron_schedule: '* * * * *' });
    const update = (query: string, enabled: string) =>
      call('PUT', `${SCHEDULES}/${guid}`, {
        form: { name: guid, query, enabled, trigger_type: 'cron', cron_schedule: '* * * * *' },
      });
    toNextMinute(clock);
    await runningQuery(subject, guid);
    toNextMinute(clock);
    await slotsWhen(subject, guid, (all) => all.length === 2);
    await stop(subject, guid);
    await update(FAILING, 'true');
    toNextMinute(clock);
    await endedSlots(subject, guid, 3);
    await update(QUICK, 'true');
    toNextMinute(clock);
    const before = await endedSlots(subject, guid, 4);
    expect(before.map(({ outcome, state }) => `${outcome} ${state}`)).toEqual([
      'ran succeeded',
      'ran failed',
      'skipped null',
      'ran cancelled',
    ]);
    await update(QUICK, 'false');
    const [newest, , , oldest] = before;
    expect((await backfill(guid, oldest.slot_time, newest.slot_time)).json).toEqual({ queued: 3, skipped: 1 });
    const slots = await endedSlots(subject, guid, 4);
    expect(slots[0]).toEqual(newest);
    for (const slot of slots.slice(1)) {
      expect(slot).toMatchObject({ outcome: 'backfilled', reason: null, state: 'succeeded', error: null, rows: 1 });
    }
  });

  it('lets each of its runs be followed: followers wait in line', async () => {
    const first = await createSchedule(subject, { cron_schedule: '0 0 * * *' });
    const follower = await createFollower(subject, first, { query: SLOW });
    const last = await createFollower(subject, follower);
    await backfill(first, '2024-02-20 00:00:00+0000', '2024-02-25 00:00:00+0000');
    await runningQuery(subject, follower);
    const waiting = await slotsWhen(subject, follower, (all) => all.length === 6);
    expect(waiting.map(({ outcome, state }) => `${outcome} ${state}`).toSorted()).toEqual([
      ...Array(5).fill('backfilled queued'),
      'backfilled running',
    ]);
    const form = { name: follower, query: QUICK, enabled: 'true', trigger_type: 'workflow' };
    await call('PUT', `${SCHEDULES}/${follower}`, {
      form: { ...form, preceding_guid: first, preceding_action: 'finished' },
    });
    await stop(subject, follower);
    const slots = await endedSlots(subject, follower, 6);
    expect(slots.map(({ state }) => state).toSorted()).toEqual(['cancelled', ...Array(5).fill('succeeded')]);
    expect(await endedSlots(subject, last, 5)).toHaveLength(5);
  });

  it('is cancelled whole: nothing of it runs any more, and its slots are what they were', async () => {
    const guid = await createSchedule(subject, { query: SLOW, cron_schedule: '0 * * * *' });
    const cancel = () => call('POST', `${SCHEDULES}/${guid}/backfill/cancel`);
    await backfill(guid, at('01:00'), at('05:00'));
    await runningQuery(subject, guid);
    const states = async () => (await slotsOf(subject, guid)).map(({ outcome, state }) => `${outcome} ${state}`);
    expect(await states()).toEqual([...Array(4).fill('backfilled queued'), 'backfilled running']);
    expect(outcome(await cancel())).toEqual([200, { cancelled: 5 }]);
    expect(await states()).toEqual(Array(5).fill('backfilled cancelled'));
    expect(outcome(await cancel())).toEqual([200, { cancelled: 0 }]);
    expect((await recordOf(subject, guid)).running_state).toBe('idle');
    await call('PUT', `${SCHEDULES}/${guid}`, {
      form: { name: guid, query: QUICK, trigger_type: 'cron', cron_schedule: '0 * * * *' },
    });
    expect((await backfill(guid, at('01:00'), at('05:00'))).json).toEqual({ queued: 5, skipped: 0 });
    expect((await endedSlots(subject, guid, 5)).map(({ state }) => state)).toEqual(Array(5).fill('succeeded'));
    const none = await call('POST', `${SCHEDULES}/${NOWHERE}/backfill/cancel`);
    expect(outcome(none)).toEqual(NOT_FOUND);
  });

  it('waits for the run that goes on', async () => {
    const guid = await createSchedule(subject, { query: SLOW, cron_schedule: '* * * * *' });
    toNextMinute(clock);
    await start(subject, guid);
    const first = await runningQuery(subject, guid);
    const minute = `${clock.now().toString().slice(0, 16).replace('T', ' ')}:00+0000`;
    expect((await backfill(guid, minute, minute)).json).toEqual({ queued: 1, skipped: 0 });
    const begun = (await slotsOf(subject, guid)).filter(({ query_id }) => query_id !== null);
    expect(begun.map(({ query_id }) => query_id)).toEqual([first]);
    await stop(subject, guid);
    // A backfill that waits for the run of another node looks once a second.
    clock.advance({ seconds: 1 });
    const second = await runningQuery(subject, guid);
    expect(second).not.toBe(first);
    const { json } = await call('DELETE', SCHEDULES, { form: { guids: guid, policy: 'force' } });
    expect(json).toEqual({ succeeded: 1, failures: [] });
    expect(await recordOf(subject, guid)).toBeNull();
  });
});

describe('Slots and backfills are refused', () => {
  const subject = serviceFor();
  const { call } = subject;

  it.each([
    ['from=x', DATE],
    ['to=2024-03-01', DATE],
    ['from=x&to=x&outcome=x', DATE],
    ['outcome=lost', invalid("outcome value must be one of 'ran', 'skipped', 'missed', 'backfilled'.")],
    ['outcome=ran,lost', invalid("outcome value must be one of 'ran', 'skipped', 'missed', 'backfilled'.")],
    ['offset=x', invalid("'offset' parameter should be int type")],
    ['limit=-1', invalid("'limit' must be greater than or equal to 0.")],
    ['outcome=x&offset=x', invalid("outcome value must be one of 'ran', 'skipped', 'missed', 'backfilled'.")],
    [`from=${encodeURIComponent(at('01:00'))}&to=${encodeURIComponent(at('00:00'))}`, RANGE],
    ['', NOT_FOUND],
  ])('for slots with %s', async (query, answer) => {
    expect(outcome(await call('GET', `${SCHEDULES}/${NOWHERE}/slots?${query}`))).toEqual(answer);
  });

  it('for slots of no guid', async () => {
    const answer = refused(400, 'invalid-param-type', 'guid should be guid type.');
    expect(outcome(await call('GET', `${SCHEDULES}/x/slots`))).toEqual(answer);
    expect(outcome(await call('POST', `${SCHEDULES}/x/backfill`))).toEqual(answer);
  });

  it.each([
    [{}, refused(400, 'null-argument', 'from should be not null')],
    [{ from: at('00:00') }, refused(400, 'null-argument', 'to should be not null')],
    [{ from: 'x' }, DATE],
    [{ from: at('00:00'), to: 'x' }, DATE],
    [{ from: at('00:01'), to: at('00:00') }, RANGE],
    [{ from: '2024-02-01 00:00:00+0000', to: '2024-03-01 00:00:01+0000' }, RANGE],
    [{ from: '2024-02-01 00:00:00+0000', to: '2024-02-02 00:00:00+0000' }, NOT_FOUND],
  ])('for a backfill with %j', async (form, answer) => {
    const sent = form as Record<string, string>;
    expect(outcome(await call('POST', `${SCHEDULES}/${NOWHERE}/backfill`, { form: sent }))).toEqual(answer);
  });

  it('for more than 10,000 slots, and for a schedule without times', async () => {
    const everySecond = await createSchedule(subject, { cron_schedule: '* * * * * *' });
    const form = { from: '2024-02-01 00:00:00+0000', to: '2024-02-01 02:46:40+0000' };
    expect(outcome(await call('POST', `${SCHEDULES}/${everySecond}/backfill`, { form }))).toEqual(RANGE);
    const follower = await createFollower(subject, everySecond);
    expect(outcome(await call('POST', `${SCHEDULES}/${follower}/backfill`, { form }))).toEqual(
      refused(500, 'illegal-state', `scheduled query has no cron schedule: ${follower}`),
    );
  });
});
