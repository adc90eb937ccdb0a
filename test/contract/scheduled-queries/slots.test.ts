// The slot ledger: a record for every due slot, and what a run sees.

import { expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { rowsOf } from '#test/support/logs.ts';
import { statusOf } from '#test/support/queries.ts';
import {
  createSchedule,
  endedSlots,
  FAILING,
  QUICK,
  recordOf,
  removeAll,
  runningQuery,
  runToEnd,
  SCHEDULES,
  SLOW,
  slotsOf,
  slotsWhen,
  stop,
  toNextMinute,
} from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

// Many real runs on a machine that may be busy.
const GUID_SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MINUTELY = { enabled: 'true', cron_schedule: '* * * * *' };
const at = (time: string) => `2024-03-01 ${time}:00+0000`;

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
        ...['slot_time', 'started', 'state', 'window_from', 'window_to'],
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
    const guid = await createSchedule(subject, { query, enabled: 'true', cron_schedule: '* * * * *' });
    expect(await slotsOf(subject, guid)).toEqual([]);
    for (let round = 1; round <= 3; round += 1) {
      toNextMinute(clock);
      await endedSlots(subject, guid, round);
    }
    const slots = await slotsOf(subject, guid);
    expect(slots.map(({ slot_time }) => slot_time)).toEqual([at('00:03'), at('00:02'), at('00:01')]);
    for (const slot of slots) expect(slot).toMatchObject({ outcome: 'ran', reason: null, state: 'succeeded', rows: 1 });
    const seen = await rowsOf(subject, 'table seen | sort seen');
    expect(seen.map((row) => row.seen)).toEqual(['00:01:00', '00:02:00', '00:03:00']);
    expect((await recordOf(subject, guid)).next_run_time).toBe(at('00:04'));
    await removeAll(subject);
  });

  it('is skipped while the run before is still going on', async () => {
    const guid = await createSchedule(subject, { query: SLOW, ...MINUTELY });
    toNextMinute(clock);
    const running = await runningQuery(subject, guid);
    toNextMinute(clock);
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
    const guid = await createSchedule(subject, MINUTELY);
    const change = (fields: Record<string, string>) =>
      call('PUT', `${SCHEDULES}/${guid}`, {
        form: { name: `${guid}`, query: QUICK, trigger_type: 'cron', cron_schedule: '* * * * *', ...fields },
      });
    toNextMinute(clock);
    await endedSlots(subject, guid, 1);
    await change({ enabled: 'false' });
    expect((await recordOf(subject, guid)).next_run_time).toBeNull();
    clock.advance({ minutes: 3 });
    await change({ enabled: 'true', cron_schedule: '*/20 * * * * *' });
    clock.advance({ seconds: 20 });
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
    const guid = await createSchedule(subject, { query: QUICK, ...MINUTELY });
    const begin = clock.now().add({ minutes: 1 }).round({ smallestUnit: 'minute', roundingMode: 'floor' });
    for (let round = 1; round <= 4; round += 1) {
      toNextMinute(clock);
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

onEachDatabase('Slots while the service is down', (subject) => {
  const { clock } = subject;

  it('are written down as missed, and the newest is run', async () => {
    const guid = await createSchedule(subject, MINUTELY);
    toNextMinute(clock);
    await endedSlots(subject, guid, 1);
    await subject.service.stop();
    clock.advance({ minutes: 4, seconds: 5 });
    await subject.service.restart();
    const slots = await slotsWhen(subject, guid, (all) => all.length === 5 && all[0].state === 'succeeded');
    expect(slots.map(({ slot_time }) => slot_time)).toEqual(
      ['00:05', '00:04', '00:03', '00:02', '00:01'].map((time) => at(time)),
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
