// Contract operations 1 and 2: many queries in one call, each on its own, counted once.

import { describe, expect, it } from 'vitest';
import { reached, statusOf } from '#test/support/queries.ts';
import {
  createFollower,
  createRunning,
  createSchedule,
  endedSlots,
  NOWHERE,
  recordOf,
  removeAll,
  runToEnd,
  SCHEDULES,
  SLOW,
  slotsOf,
  slotsWhen,
  start,
  stop,
} from '#test/support/scheduled-queries.ts';
import type { CallOptions, Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

// Many real runs on a machine that may be busy.
const OTHER = '11111111-0000-4000-8000-000000000001';
const STOP = `${SCHEDULES}/stop`;
const RUN = `${SCHEDULES}/run`;
const notFound = (id: string) => ({ id, reason: 'scheduled-query-not-found' });
const NO_GUIDS = refused(400, 'null-argument', 'guids should be not null');
const NOT_GUIDS = refused(400, 'invalid-param-type', 'guids should be guid type.');
const TOO_MANY = refused(400, 'invalid-argument', "'guids' must be less than or equal to 10000 items.");
const POLICY = refused(400, 'invalid-argument', "policy value must be one of 'skip', 'force'.");
const FORCE = refused(400, 'invalid-param-type', 'force should be boolean type');
const NONE = [200, { succeeded: 0, failures: [notFound(NOWHERE)] }];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The three operations over a list of guids: what they make of it. */
const LISTS: readonly [about: string, CallOptions, query: string, answer: unknown][] = [
  ['no parameter', {}, '', NO_GUIDS],
  ['an empty list', { form: { guids: '' } }, '', NO_GUIDS],
  ['a list of nothing', { form: { guids: ' , ,' } }, '', NO_GUIDS],
  ['an empty array', { json: { guids: [] } }, '', NO_GUIDS],
  ['null', { json: { guids: null } }, '', NO_GUIDS],
  ['no guid', { form: { guids: 'x' } }, '', NOT_GUIDS],
  ['one bad item', { form: { guids: `${NOWHERE},x` } }, '', NOT_GUIDS],
  ['a number', { json: { guids: [1] } }, '', NOT_GUIDS],
  ['one character too much', { form: { guids: `${NOWHERE}0` } }, '', NOT_GUIDS],
  ['an unknown guid', { form: { guids: NOWHERE } }, '', NONE],
  ['an unknown guid in capitals', { form: { guids: NOWHERE.toUpperCase() } }, '', NONE],
  ['an unknown guid in JSON text', { json: { guids: NOWHERE } }, '', NONE],
  ['an unknown guid in a JSON array', { json: { guids: [NOWHERE] } }, '', NONE],
  ['one guid twice', { form: { guids: `${NOWHERE}, ${NOWHERE}` } }, '', NONE],
  ['a repeated name', { body: `guids=${NOWHERE}&guids=${NOWHERE}`, headers: FORM }, '', NONE],
  [
    'two unknown guids, in their order',
    { form: { guids: `${OTHER},${NOWHERE},${OTHER}` } },
    '',
    [200, { succeeded: 0, failures: [notFound(OTHER), notFound(NOWHERE)] }],
  ],
  ['10,001 items', { form: { guids: manyGuids(10_001).join(',') } }, '', TOO_MANY],
  ['10,001 items, one of them bad', { form: { guids: `${manyGuids(10_000).join(',')},x` } }, '', TOO_MANY],
];

describe.each([
  ['DELETE', SCHEDULES],
  ['POST', STOP],
  ['POST', RUN],
])('%s %s', (method, path) => {
  const { call } = serviceFor();

  it.each(LISTS)('with %s', async (_, options, query, answer) => {
    expect(outcome(await call(method, path + query, options))).toEqual(answer);
  });

  it('takes 10,000 guids', async () => {
    const guids = manyGuids(10_000);
    const { status, json } = await call(method, path, { form: { guids: guids.join(',') } });
    expect([status, json.succeeded]).toEqual([200, 0]);
    expect(json.failures).toEqual(guids.map(notFound));
  });
});

describe('Remove Scheduled Queries', () => {
  const subject = serviceFor();
  const { call } = subject;

  it.each([
    [{ form: { guids: NOWHERE, policy: 'Force' } }, POLICY],
    [{ form: { guids: NOWHERE, policy: 'skip,force' } }, POLICY],
    [{ json: { guids: NOWHERE, policy: true } }, POLICY],
    [{ form: { guids: '', policy: 'x' } }, NO_GUIDS],
    [{ form: { guids: 'x', policy: 'x' } }, NOT_GUIDS],
    [{ form: { guids: NOWHERE, policy: '' } }, NONE],
  ])('answers %j', async (options, answer) => {
    expect(outcome(await call('DELETE', SCHEDULES, options))).toEqual(answer);
  });

  it('takes its parameters from the query string too, where the body does not give them', async () => {
    const one = await createSchedule(subject);
    const other = await createSchedule(subject);
    expect((await call('DELETE', `${SCHEDULES}?guids=${one}&policy=skip`)).json).toEqual({
      succeeded: 1,
      failures: [],
    });
    const answer = await call('DELETE', `${SCHEDULES}?guids=${NOWHERE}`, { form: { guids: other } });
    expect(answer.json).toEqual({ succeeded: 1, failures: [] });
    expect(outcome(await call('DELETE', `${SCHEDULES}?guids=${NOWHERE}&policy=x`))).toEqual(POLICY);
  });

  it('removes some thousands', async () => {
    const guids = manyGuids(2000);
    const all = guids.map((guid) => () => createSchedule(subject, { guid }));
    for (let at = 0; at < all.length; at += 100) await Promise.all(all.slice(at, at + 100).map((make) => make()));
    const answer = await call('DELETE', SCHEDULES, { form: { guids: guids.join(',') } });
    expect(outcome(answer)).toEqual([200, { succeeded: 2000, failures: [] }]);
    expect((await call('GET', SCHEDULES)).json.total_count).toBe(0);
  });
});

describe('Stop Scheduled Queries', () => {
  const { call } = serviceFor();

  it.each([
    [{ form: { guids: NOWHERE, force: 'yes' } }, FORCE],
    [{ json: { guids: NOWHERE, force: 0 } }, FORCE],
    [{ form: { guids: '', force: 'x' } }, NO_GUIDS],
    [{ form: { guids: NOWHERE, force: '' } }, NONE],
    [{ json: { guids: NOWHERE, force: true } }, NONE],
  ])('answers %j', async (options, answer) => {
    expect(outcome(await call('POST', STOP, options))).toEqual(answer);
  });
});

onEachDatabase('Scheduled queries', (subject) => {
  const { call } = subject;
  const remove = async (guids: string[], policy?: string) =>
    (await call('DELETE', SCHEDULES, { form: { guids: guids.join(','), ...(policy ? { policy } : {}) } })).json;

  it('are removed one by one, the unknown named in the order of the request', async () => {
    const one = await createSchedule(subject);
    const other = await createSchedule(subject);
    const answer = await remove([NOWHERE, one.toUpperCase(), OTHER, other, one, NOWHERE]);
    expect(answer).toEqual({ succeeded: 2, failures: [notFound(NOWHERE), notFound(OTHER)] });
    expect(await recordOf(subject, one)).toBeNull();
    expect(await remove([one])).toEqual({ succeeded: 0, failures: [notFound(one)] });
  });

  it.each([undefined, 'skip'])('are left alone by policy %s while they run', async (policy) => {
    const { guid, queryId } = await createRunning(subject);
    const idle = await createSchedule(subject);
    expect(await remove([guid, NOWHERE, idle], policy)).toEqual({ succeeded: 1, failures: [notFound(NOWHERE)] });
    expect(await recordOf(subject, guid)).toMatchObject({ guid, running_state: 'running' });
    expect(await statusOf(subject, queryId)).toMatchObject({ is_finished: false, is_cancelled: false });
    await removeAll(subject);
  });

  it('are stopped and then removed by force, with their ledger', async () => {
    const { guid, queryId } = await createRunning(subject);
    const idle = await createSchedule(subject);
    const follower = await createFollower(subject, guid);
    expect(await remove([guid, idle, guid], 'force')).toEqual({ succeeded: 2, failures: [] });
    expect(await recordOf(subject, guid)).toBeNull();
    expect(await statusOf(subject, queryId)).toMatchObject({ is_finished: true, is_cancelled: true });
    expect(outcome(await call('GET', `${SCHEDULES}/${guid}/slots`))).toEqual(
      refused(500, 'illegal-state', `scheduled query not found: ${guid}`),
    );
    expect(await slotsOf(subject, follower)).toEqual([]);
    expect(await recordOf(subject, follower)).toMatchObject({ preceding_guid: guid, preceding_name: null });
    await createSchedule(subject, { guid });
    expect(await slotsOf(subject, guid)).toEqual([]);
    expect(await recordOf(subject, guid)).toMatchObject({ running_state: null, result_state: null });
  });

  it('are stopped if they run, and not counted if they do not', async () => {
    const { guid, queryId } = await createRunning(subject, { enabled: 'true', cron_schedule: '0 5 * * *' });
    const never = await createSchedule(subject);
    const idle = await createSchedule(subject);
    await runToEnd(subject, idle);
    const answer = await stop(subject, NOWHERE, never, guid, idle, guid);
    expect(outcome(answer)).toEqual([200, { succeeded: 1, failures: [notFound(NOWHERE)] }]);
    // The answer came when the run had ended.
    expect(await statusOf(subject, queryId)).toMatchObject({ is_finished: true, is_cancelled: true });
    const [slot] = await slotsOf(subject, guid);
    expect(slot).toMatchObject({ outcome: 'ran', state: 'cancelled', query_id: queryId, finished: expect.any(String) });
    expect(await recordOf(subject, guid)).toMatchObject({
      enabled: true,
      running_state: 'idle',
      result_state: 'cancelled',
      last_failure_time: null,
      next_run_time: '2024-03-01 05:00:00+0000',
    });
    expect((await stop(subject, guid)).json).toEqual({ succeeded: 0, failures: [] });
    await removeAll(subject);
  });

  it.each(['true', 'false'])('are stopped with force=%s', async (force) => {
    const { guid, queryId } = await createRunning(subject);
    const answer = await call('POST', STOP, { form: { guids: guid, force } });
    expect(answer.json).toEqual({ succeeded: 1, failures: [] });
    expect(await statusOf(subject, queryId)).toMatchObject({ is_finished: true, is_cancelled: true });
    expect((await slotsOf(subject, guid))[0]).toMatchObject({ state: 'cancelled' });
  });

  it('can be run again after a stop', async () => {
    const { guid } = await createRunning(subject);
    await stop(subject, guid);
    await start(subject, guid);
    const slots = await slotsWhen(subject, guid, (all) => all.length === 2 && all[0].state === 'running');
    expect(slots[0].run_guid).not.toBe(slots[1].run_guid);
    expect((await stop(subject, guid)).json.succeeded).toBe(1);
    await endedSlots(subject, guid, 2);
  });

  it('keep the text that a run began with, when they are updated meanwhile', async () => {
    const { guid, queryId } = await createRunning(subject);
    const form = { name: 'changed', query: 'json "{b:2}"', trigger_type: 'cron', cron_schedule: '0 0 1 1 *' };
    expect(outcome(await call('PUT', `${SCHEDULES}/${guid}`, { form }))).toEqual([200, {}]);
    const status = await reached(subject, queryId, () => true);
    expect(status).toMatchObject({ is_finished: false, is_cancelled: false, query_string: SLOW });
    expect(await recordOf(subject, guid)).toMatchObject({ query: 'json "{b:2}"', running_state: 'running' });
    expect((await stop(subject, guid)).json.succeeded).toBe(1);
    const slot = await runToEnd(subject, guid);
    expect((await statusOf(subject, slot.query_id)).query_string).toBe('json "{b:2}"');
  });

  it('run once at a time', async () => {
    const { guid } = await createRunning(subject);
    const idle = await createSchedule(subject);
    const { json } = await call('POST', RUN, { form: { guids: [guid, NOWHERE, idle, idle].join(',') } });
    const failures = [{ id: guid, reason: 'already-running' }, notFound(NOWHERE)];
    expect(json).toEqual({ succeeded: 1, failures });
    expect(await endedSlots(subject, idle, 1)).toHaveLength(1);
    expect((await slotsOf(subject, guid)).filter(({ state }: Wire) => state === 'running')).toHaveLength(1);
    await removeAll(subject);
  });
});

function manyGuids(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`);
}
