// Scheduled queries as they are kept and shown: created, replaced, found, listed.

import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import {
  createFollower,
  createSchedule,
  NOWHERE,
  QUICK,
  recordOf,
  removeAll,
  runToEnd,
  SCHEDULES,
  YEARLY,
} from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

// Many real runs on a machine that may be busy.
const GUID = 'abcdef00-0000-4000-8000-00000000000a';
const NOW = '2024-03-01 00:00:00+0000';

const NEVER_RAN = {
  running_state: null,
  result_state: null,
  elapsed_time: null,
  last_run_time: null,
  last_failure_time: null,
  last_failure_reason: null,
};
const DEFAULTS = {
  description: null,
  enabled: false,
  node_types: null,
  output_parameter: false,
  preceding_guid: null,
  preceding_name: null,
  preceding_action: null,
  query_error: null,
  next_run_time: null,
  ...NEVER_RAN,
};

onEachDatabase('A scheduled query', (subject) => {
  const { call, clock } = subject;

  it('has every field of its record from the beginning', async () => {
    await createSchedule(subject, { guid: GUID.toUpperCase(), name: 'least' });
    expect(await recordOf(subject, GUID)).toEqual({
      guid: GUID,
      name: 'least',
      query: QUICK,
      ...YEARLY,
      ...DEFAULTS,
      owner: 'master',
      created: NOW,
      updated: NOW,
    });
  });

  it('keeps what it is given, in a form or in JSON', async () => {
    const most = { name: 'n'.repeat(255), description: '😀'.repeat(2000), query: `${QUICK} ${'#'.repeat(100_000)}` };
    const form = { ...most, ...YEARLY, enabled: 'true', node_types: ' control , data ', output_parameter: 'true' };
    const one = await createSchedule(subject, form);
    const json = { ...form, name: '이름', enabled: true, node_types: ['control', 'data'], output_parameter: true };
    const other = (await call('POST', SCHEDULES, { json })).json.guid;
    const kept = { enabled: true, node_types: ['control', 'data'], output_parameter: true };
    expect(await recordOf(subject, one)).toMatchObject({ ...most, ...kept, next_run_time: '2025-01-01 00:00:00+0000' });
    expect(await recordOf(subject, other)).toMatchObject({ ...most, ...kept, name: '이름' });
  });

  it('is replaced as a whole by an update', async () => {
    const full = { description: 'd', enabled: 'true', node_types: 'data', output_parameter: 'true' };
    const guid = await createSchedule(subject, { name: 'full', ...full });
    clock.advance({ minutes: 1 });
    const form = { name: 'bare', query: 'json "{b:2}"', trigger_type: 'cron', cron_schedule: '*/5 * * * * *' };
    const answer = await call('PUT', `${SCHEDULES}/${guid.toUpperCase()}`, { form });
    expect(outcome(answer)).toEqual([200, {}]);
    expect(answer.text).toBe('{}');
    const record = await recordOf(subject, guid);
    expect(record).toMatchObject({ guid, ...form, ...DEFAULTS, owner: 'master', updated: '2024-03-01 00:01:00+0000' });
    expect(record.created).not.toBe(record.updated);
  });

  it('may keep its own name, and take one that has become free', async () => {
    const one = await createSchedule(subject, { name: 'mine' });
    const other = await createSchedule(subject);
    const form = { name: 'mine', query: QUICK, ...YEARLY };
    expect(outcome(await call('PUT', `${SCHEDULES}/${one}`, { form }))).toEqual([200, {}]);
    const taken = refused(500, 'illegal-state', 'duplicated name: mine');
    expect(outcome(await call('PUT', `${SCHEDULES}/${other}`, { form }))).toEqual(taken);
    await call('DELETE', SCHEDULES, { form: { guids: one } });
    expect(outcome(await call('PUT', `${SCHEDULES}/${other}`, { form }))).toEqual([200, {}]);
  });

  it('keeps nothing of the other trigger, and does not look at it', async () => {
    const both = { preceding_guid: 'x', preceding_action: 'x', cron_schedule: '0 0 1 1 *', type: 'workflow' };
    const guid = await createSchedule(subject, both);
    const empty = { preceding_guid: null, preceding_name: null, preceding_action: null };
    expect(await recordOf(subject, guid)).toMatchObject({ ...YEARLY, ...empty });
    const follower = await createFollower(subject, guid, { name: 'f', cron_schedule: 'x', preceding_action: 'failed' });
    const { name } = await recordOf(subject, guid);
    const following = { preceding_guid: guid, preceding_name: name, preceding_action: 'failed' };
    const shown = { trigger_type: 'workflow', cron_schedule: null, ...following, next_run_time: null };
    expect(await recordOf(subject, follower)).toMatchObject(shown);
    const form = { name: 'f', query: QUICK, trigger_type: 'cron', cron_schedule: '0 0 1 1 *' };
    expect(outcome(await call('PUT', `${SCHEDULES}/${follower}`, { form }))).toEqual([200, {}]);
    expect(await recordOf(subject, follower)).toMatchObject({ ...YEARLY, ...empty });
  });

  it('may follow one that does not exist', async () => {
    const follower = await createFollower(subject, NOWHERE);
    expect(await recordOf(subject, follower)).toMatchObject({ preceding_guid: NOWHERE, preceding_name: null });
    await createSchedule(subject, { guid: NOWHERE, name: 'there at last' });
    expect(await recordOf(subject, follower)).toMatchObject({ preceding_name: 'there at last' });
    await call('DELETE', SCHEDULES, { form: { guids: NOWHERE } });
    expect(await recordOf(subject, follower)).toMatchObject({ preceding_guid: NOWHERE, preceding_name: null });
  });

  it.each([
    ['json "{', /^\(\d+\) .+ at \d+:\d+$/],
    ['table nowhere_at_all', /^\(\d+\) .+ at \d+:\d+$/],
    ['nonsense', /^\(\d+\) .+ at 1:1$/],
    ['json "{a:1}" | \n  evil b = 1', /^\(\d+\) .+ at 2:3$/],
  ])('may have the text «%s», and says what is wrong with it', async (query, error) => {
    const guid = await createSchedule(subject, { query });
    expect((await recordOf(subject, guid)).query_error).toMatch(error);
    const slot = await runToEnd(subject, guid);
    expect(slot).toMatchObject({ outcome: 'ran', state: 'failed' });
    expect(slot.error).toEqual(expect.any(String));
    const record = await recordOf(subject, guid);
    expect(record).toMatchObject({ running_state: 'idle', result_state: 'failed', last_failure_time: slot.finished });
    expect(record.last_failure_reason).toEqual(expect.any(String));
  });

  it('belongs to whoever created it, whoever updates it', async () => {
    const { key } = await createAccount(subject, 'ADMIN', { login: 'maker' });
    const guid = await createSchedule(subject, {}, { key });
    expect((await recordOf(subject, guid)).owner).toBe('maker');
    await call('PUT', `${SCHEDULES}/${guid}`, { form: { name: 'another', query: QUICK, ...YEARLY } });
    expect((await recordOf(subject, guid)).owner).toBe('maker');
  });

  it('is null when there is none', async () => {
    const nobody = 'ffffffff-0000-4000-8000-000000000000';
    expect(outcome(await call('GET', `${SCHEDULES}/${nobody}`))).toEqual([200, { scheduled_query: null }]);
    expect(outcome(await call('GET', `${SCHEDULES}/x`))).toEqual(
      refused(400, 'invalid-param-type', 'guid should be guid type.'),
    );
  });

  it('says when it is due next, as long as it is enabled', async () => {
    const next = async (fields: Record<string, string>) =>
      (await recordOf(subject, await createSchedule(subject, { enabled: 'true', ...fields }))).next_run_time;
    expect(await next({ cron_schedule: '30 4 * * *' })).toBe('2024-03-01 04:30:00+0000');
    expect(await next({ cron_schedule: '15 30 4 * * SUN' })).toBe('2024-03-03 04:30:15+0000');
    expect(await next({ cron_schedule: '0 0 30 2 *' })).toBeNull();
    expect(await next({ cron_schedule: '30 4 * * *', enabled: 'false' })).toBeNull();
  });
});

describe('The list of scheduled queries', () => {
  const subject = serviceFor();
  const { call } = subject;
  const names = async (query: string) => {
    const { json } = await call('GET', `${SCHEDULES}?${query}`);
    return [json.total_count, json.scheduled_queries.map(({ name }: Wire) => name)];
  };

  it('is empty at first', async () => {
    expect(outcome(await call('GET', SCHEDULES))).toEqual([200, { total_count: 0, scheduled_queries: [] }]);
  });

  it('is in the order of names, page by page, with whole records', async () => {
    for (const name of ['c', 'a', '나', 'b', '가']) await createSchedule(subject, { name });
    expect(await names('')).toEqual([5, ['a', 'b', 'c', '가', '나']]);
    expect(await names('offset=1&limit=2')).toEqual([5, ['b', 'c']]);
    expect(await names('offset=5')).toEqual([5, []]);
    expect(await names('limit=0')).toEqual([5, []]);
    const { json } = await call('GET', SCHEDULES);
    expect(json.scheduled_queries[0]).toEqual(await recordOf(subject, json.scheduled_queries[0].guid));
  });

  it('finds keywords in name, description and text, ignoring case', async () => {
    await removeAll(subject);
    await createSchedule(subject, { name: 'Nightly report' });
    await createSchedule(subject, { name: 'x', description: '매일 밤 NIGHTLY' });
    await createSchedule(subject, { name: 'y', query: 'json "{nightly:1}"' });
    await createSchedule(subject, { name: 'z' });
    expect(await names('keywords=nightly')).toEqual([3, ['Nightly report', 'x', 'y']]);
    expect(await names(`keywords=${encodeURIComponent('매일 밤')}`)).toEqual([1, ['x']]);
    expect(await names('keywords=%25')).toEqual([0, []]);
    expect(await names('keywords=nightly&limit=1')).toEqual([3, ['Nightly report']]);
    expect(await names('keywords=report%20nightly')).toEqual([0, []]);
  });

  it.each([
    ['offset=x', "'offset' parameter should be int type"],
    ['offset=-1', "'offset' must be greater than or equal to 0."],
    ['limit=2147483648', "'limit' must be less than or equal to 2147483647."],
  ])('is refused with %s', async (query, message) => {
    expect(outcome(await call('GET', `${SCHEDULES}?${query}`))).toEqual(refused(400, 'invalid-argument', message));
  });
});
