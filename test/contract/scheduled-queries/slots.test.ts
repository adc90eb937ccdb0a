// The slot ledger: a record for every due slot, what a run sees, and backfilling.

import { describe, expect, it, vi } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { rowsOf } from '#test/support/logs.ts';
import { statusOf } from '#test/support/queries.ts';
import {
  createFollower,
  createSchedule,
  endedSlots,
  FAILING,
  NOWHERE,
  QUICK,
  recordOf,
  removeAll,
  runningQuery,
  runToEnd,
  SCHEDULES,
  SLOW,
  slotsOf,
  slotsWhen,
  start,
  stop,
  toNextHour,
  type Wire,
} from '#test/support/scheduled-queries.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

// Many real runs on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 });

const GUID_SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HOURLY = { enabled: 'true', cron_schedule: '0 * * * *' };
const at = (time: string) => `2024-03-01 ${time}:00+0000`;
const RANGE = refused(400, 'invalid-argument', 'date range is unacceptable.');
const DATE = refused(400, 'invalid-argument', 'invalid date format');
const NOT_FOUND = refused(500, 'illegal-state', `scheduled query not found: ${NOWHERE}`);
const invalid = (message: string) => refused(400, 'invalid-argument', message);

onEachDatabase('A slot', (subject) => {
  const { call, clock } = subject;

  it('of a run by hand says when, where and with what result it ran', async () => {
    const guid = await createSchedule(subject, { query: 'json "[{a:1},{a:2},{a:3}]"' });
    const slot = await runToEnd(subject, guid);
    expect(slot).toMatchObject({
      slot_time: at('00:00'),
      outcome: 'ran',
      reason: 'manual',
      run_guid: expect.stringMatching(GUID_SHAPE),
      query_id: expect.any(Number),
      node: expect.any(String),
      started: at('00:00'),
      finished: at('00:00'),
      state: 'succeeded',
      rows: 3,
      error: null,
    });
    expect(Object.keys(slot).sort()).toEqual(
      [
        ...['constants', 'error', 'finished', 'node', 'outcome', 'query_id', 'reason', 'rows', 'run_guid'],
        ...['slot_time', 'started', 'state'],
      ].sort(),
    );
    expect(await recordOf(subject, guid)).toMatchObject({
      running_state: 'idle',
      result_state: 'succeeded',
      elapsed_time: expect.any(Number),
      last_run_time: at('00:00'),
      last_failure_time: null,
      last_failure_reason: null,
    });
  });

  it('shows a failed run, and its schedule remembers it', async () => {
    const guid = await createSchedule(subject, { query: FAILING });
    const slot = await runToEnd(subject, guid);
    expect(slot).toMatchObject({ outcome: 'ran', state: 'failed', error: expect.any(String) });
    const failed = { last_failure_time: slot.finished, last_failure_reason: expect.any(String) };
    expect(await recordOf(subject, guid)).toMatchObject({ query_error: null, result_state: 'failed', ...failed });
    await call('PUT', `${SCHEDULES}/${guid}`, {
      form: { name: 'mended', query: QUICK, trigger_type: 'cron', cron_schedule: '0 0 1 1 *' },
    });
    await runToEnd(subject, guid);
    expect(await recordOf(subject, guid)).toMatchObject({ result_state: 'succeeded', ...failed });
  });

  it('is there for each due time, and its run sees that time', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'seen' } });
    const query = 'json "{}" | eval seen = string(now(), "HH:mm:ss") | import seen';
    const guid = await createSchedule(subject, { query, enabled: 'true', cron_schedule: '*/10 * * * *' });
    expect(await slotsOf(subject, guid)).toEqual([]);
    for (let round = 1; round <= 3; round += 1) {
      clock.advance({ minutes: 10 });
      await endedSlots(subject, guid, round);
    }
    const slots = await slotsOf(subject, guid);
    expect(slots.map(({ slot_time }) => slot_time)).toEqual([at('00:30'), at('00:20'), at('00:10')]);
    for (const slot of slots) expect(slot).toMatchObject({ outcome: 'ran', reason: null, state: 'succeeded', rows: 1 });
    const seen = await rowsOf(subject, 'table seen | sort seen');
    expect(seen.map((row) => row.seen)).toEqual(['00:10:00', '00:20:00', '00:30:00']);
    expect((await recordOf(subject, guid)).next_run_time).toBe(at('00:40'));
    await removeAll(subject);
  });

  it('is skipped while the run before is still going on', async () => {
    const guid = await createSchedule(subject, { query: SLOW, ...HOURLY });
    toNextHour(clock);
    const running = await runningQuery(subject, guid);
    toNextHour(clock);
    const slots = await slotsWhen(subject, guid, (all) => all.length === 2);
    expect(slots[0]).toMatchObject({
      outcome: 'skipped',
      reason: 'still-running',
      run_guid: null,
      query_id: null,
      started: null,
      finished: null,
      state: null,
      rows: null,
      error: null,
    });
    expect(slots[1]).toMatchObject({ outcome: 'ran', state: 'running', query_id: running, finished: null });
    expect((await stop(subject, guid)).json.succeeded).toBe(1);
    expect((await slotsOf(subject, guid)).map(({ state }) => state)).toEqual([null, 'cancelled']);
    await removeAll(subject);
  });

  it('does not fall due once the schedule is disabled, and by the new schedule once it is changed', async () => {
    const guid = await createSchedule(subject, HOURLY);
    const change = (fields: Record<string, string>) =>
      call('PUT', `${SCHEDULES}/${guid}`, {
        form: { name: `${guid}`, query: QUICK, trigger_type: 'cron', cron_schedule: '0 * * * *', ...fields },
      });
    toNextHour(clock);
    await endedSlots(subject, guid, 1);
    await change({ enabled: 'false' });
    expect((await recordOf(subject, guid)).next_run_time).toBeNull();
    clock.advance({ hours: 3 });
    await change({ enabled: 'true', cron_schedule: '*/20 * * * *' });
    clock.advance({ minutes: 20 });
    const slots = await slotsWhen(subject, guid, (all) => all.filter(({ run_guid }) => run_guid).length === 2);
    expect(slots.filter(({ outcome: is }: Wire) => is === 'ran')).toHaveLength(2);
    expect(slots.filter(({ outcome: is }: Wire) => is === 'missed')).toEqual([]);
    await removeAll(subject);
  });

  it('belongs to a query of the owner, whom alone Get Query Status tells of it', async () => {
    const owner = await createAccount(subject, 'ADMIN', { login: 'owner' });
    const guid = await createSchedule(subject, { query: QUICK }, { key: owner.key });
    const slot = await runToEnd(subject, guid);
    const status = await statusOf(subject, slot.query_id, { key: owner.key });
    expect(status).toMatchObject({
      id: slot.query_id,
      source: 'scheduled-query',
      login_name: 'owner',
      remote_ip: '127.0.0.1',
      rows: 1,
      is_finished: true,
      is_cancelled: false,
      is_scheduled_query: true,
      query_string: QUICK,
      background: true,
    });
    expect(outcome(await call('GET', `/api/core/queries/${slot.query_id}`))).toEqual(
      refused(403, 'invalid-query-id', `cannot access query ${slot.query_id}`),
    );
    await call('DELETE', '/api/core/users', { form: { guids: owner.guid } });
    expect(await runToEnd(subject, guid)).toMatchObject({ state: 'succeeded' });
    expect((await recordOf(subject, guid)).owner).toBe('owner');
  });

  it('is found by time, both ends included, by outcome and by page', async () => {
    const guid = await createSchedule(subject, { query: QUICK, ...HOURLY });
    const begin = clock.now().add({ hours: 1 }).round({ smallestUnit: 'hour', roundingMode: 'floor' });
    for (let round = 1; round <= 4; round += 1) {
      toNextHour(clock);
      await endedSlots(subject, guid, round);
    }
    const all = (await slotsOf(subject, guid)).map(({ slot_time }) => slot_time);
    expect(all).toHaveLength(4);
    expect(all.at(-1)).toBe(begin.toString().replace('T', ' ').replace('Z', '+0000'));
    const times = async (query: Record<string, string>) =>
      (await slotsOf(subject, guid, query)).map(({ slot_time }) => slot_time);
    expect(await times({ from: all[2] ?? '', to: all[1] ?? '' })).toEqual([all[1], all[2]]);
    expect(await times({ from: all[0] ?? '' })).toEqual([all[0]]);
    expect(await times({ to: all[3] ?? '' })).toEqual([all[3]]);
    expect(await times({ offset: '1', limit: '2' })).toEqual([all[1], all[2]]);
    expect(await times({ outcome: 'ran' })).toEqual(all);
    expect(await times({ outcome: 'missed,skipped' })).toEqual([]);
    expect(await times({ outcome: 'missed,ran' })).toEqual(all);
    const { json } = await call('GET', `${SCHEDULES}/${guid}/slots?limit=1`);
    expect(json.total_count).toBe(4);
    await removeAll(subject);
  });
});

onEachDatabase('A backfill', (subject) => {
  const { call, clock } = subject;
  const backfill = (guid: string, from: string, to: string) =>
    call('POST', `${SCHEDULES}/${guid}/backfill`, { form: { from, to } });

  it('runs what did not run, one after another, oldest first, each with its own clock', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'filled' } });
    const query = 'json "{}" | eval seen = string(now(), "HH:mm") | import filled';
    const guid = await createSchedule(subject, { query, cron_schedule: '0 * * * *' });
    clock.advance({ hours: 5, minutes: 30 });
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

  it('leaves alone what ran on time', async () => {
    const guid = await createSchedule(subject, { query: SLOW, enabled: 'true', cron_schedule: '0 * * * *' });
    toNextHour(clock);
    await runningQuery(subject, guid);
    toNextHour(clock);
    await slotsWhen(subject, guid, (all) => all.length === 2);
    await stop(subject, guid);
    const [skipped, ran] = await slotsOf(subject, guid);
    await call('PUT', `${SCHEDULES}/${guid}`, {
      form: { name: guid, query: QUICK, trigger_type: 'cron', cron_schedule: '0 * * * *' },
    });
    expect((await backfill(guid, ran.slot_time, skipped.slot_time)).json).toEqual({ queued: 1, skipped: 1 });
    const slots = await slotsWhen(subject, guid, (all) => all[0].state === 'succeeded');
    expect(slots).toHaveLength(2);
    expect(slots[0]).toMatchObject({ slot_time: skipped.slot_time, outcome: 'backfilled', reason: null });
    expect(slots[1]).toEqual(ran);
  });

  it('waits for the run that goes on', async () => {
    const guid = await createSchedule(subject, { query: SLOW, cron_schedule: '0 * * * *' });
    clock.advance({ hours: 1 });
    await start(subject, guid);
    const first = await runningQuery(subject, guid);
    const hour = `${clock.now().toString().slice(0, 13).replace('T', ' ')}:00:00+0000`;
    expect((await backfill(guid, hour, hour)).json).toEqual({ queued: 1, skipped: 0 });
    const begun = (await slotsOf(subject, guid)).filter(({ query_id }) => query_id !== null);
    expect(begun.map(({ query_id }) => query_id)).toEqual([first]);
    await stop(subject, guid);
    expect(await runningQuery(subject, guid)).toBeGreaterThan(first);
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

onEachDatabase('Slots while the service is down', (subject) => {
  const { clock } = subject;

  it('are written down as missed, and the newest is run', async () => {
    const guid = await createSchedule(subject, HOURLY);
    toNextHour(clock);
    await endedSlots(subject, guid, 1);
    await subject.service.stop();
    clock.advance({ hours: 4, minutes: 5 });
    await subject.service.restart();
    const slots = await slotsWhen(subject, guid, (all) => all.length === 5 && all[0].state === 'succeeded');
    expect(slots.map(({ slot_time }) => slot_time)).toEqual(
      ['05:00', '04:00', '03:00', '02:00', '01:00'].map((time) => at(time)),
    );
    expect(slots.map(({ outcome: is, reason }) => [is, reason])).toEqual([
      ['backfilled', null],
      ['missed', 'service-down'],
      ['missed', 'service-down'],
      ['missed', 'service-down'],
      ['ran', null],
    ]);
    await subject.service.restart();
    expect(await endedSlots(subject, guid, 5)).toEqual(slots);
  });
});
